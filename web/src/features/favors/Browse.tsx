// What friends ask everybody, and the search among all favors that the member may see.
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconMapPin, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import { type Favor, FavorCategory } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { NoRequests, NotFound } from "../../ui/illustrations";
import { EmptyState } from "../../ui/Pieces";
import "../../ui/styles/chips.css";
import "../../ui/styles/form.css";
import "./browse.css";
import { browseWords } from "./browseWords";
import { categoryWords } from "./badgeWords";
import { Cards, type ListProps } from "./FavorColumn";
import { useFound, useFriendsToAsk } from "./laterQueries";
import { categoryLooks } from "./look";
import { listPath } from "./paths";
import { type Typed, useSeeking, WORDS_MAX } from "./seeking";
import { words } from "./words";

const CATEGORIES = [
  FavorCategory.GENERAL,
  FavorCategory.ERRANDS,
  FavorCategory.PHYSICAL_HELP,
  FavorCategory.PET_CARE,
] as const;

type FieldsProps = { typed: Typed; type: (part: Partial<Typed>) => void };

function CategoryIcon({ category }: { category: FavorCategory }) {
  const { tint, Icon } = categoryLooks[category];
  return <Icon size={20} stroke={1.75} color={`var(--gt-${tint}-fg)`} aria-hidden="true" />;
}

/** One of them is chosen always; the first is all of them. */
function Categories({ typed, type }: FieldsProps) {
  return (
    <div className="chips" role="group" aria-label={browseWords.category}>
      {[FavorCategory.UNSPECIFIED, ...CATEGORIES].map((category) => (
        <button
          key={category}
          type="button"
          className="chip"
          aria-pressed={typed.category === category}
          onClick={() => type({ category })}
        >
          {category === FavorCategory.UNSPECIFIED ? (
            browseWords.all
          ) : (
            <>
              <CategoryIcon category={category} />
              {categoryWords[category]}
            </>
          )}
        </button>
      ))}
    </div>
  );
}

function Fields({ typed, type }: FieldsProps) {
  const [isOpen, open] = useState(false);
  const where = useId();
  const field = useRef<HTMLInputElement>(null);
  // Few ask about it: its field comes when it is wanted, and goes with what was typed in it.
  const isWhere = isOpen || typed.location !== "";
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);

  function turn(): void {
    open(!isWhere);
    if (isWhere) type({ location: "" });
  }

  return (
    <search className="seek stack s">
      <div className="row s">
        <TextInput
          type="search"
          className="grow"
          maxLength={WORDS_MAX}
          aria-label={browseWords.search}
          placeholder={browseWords.search}
          leftSection={<IconSearch size={20} />}
          value={typed.term}
          onChange={(event) => type({ term: event.currentTarget.value })}
        />
        <ActionIcon
          variant="default"
          className="where"
          size="3rem"
          aria-label={browseWords.location}
          aria-expanded={isWhere}
          aria-controls={isWhere ? where : undefined}
          onClick={turn}
        >
          <IconMapPin size={22} />
        </ActionIcon>
      </div>
      {isWhere && (
        <TextInput
          ref={field}
          id={where}
          maxLength={WORDS_MAX}
          aria-label={browseWords.where}
          placeholder={browseWords.where}
          leftSection={<IconMapPin size={20} />}
          value={typed.location}
          onChange={(event) => type({ location: event.currentTarget.value })}
        />
      )}
      <Categories typed={typed} type={type} />
    </search>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      drawing={<NotFound size={200} />}
      title={browseWords.noneFound}
      action={
        <Button variant="light" onClick={onClear}>
          {browseWords.clear}
        </Button>
      }
    >
      {browseWords.noneFoundText}
    </EmptyState>
  );
}

/** The next step of who has friends is another one than that of who has none yet. */
function NothingOpen() {
  const hasFriends = (useFriendsToAsk().data?.length ?? 0) > 0;
  const [to, label] = hasFriends
    ? [listPath({ tab: "create" }), words.createFavor]
    : ["/friends/find", words.findFriends];
  return (
    <EmptyState
      drawing={<NoRequests size={200} />}
      title={browseWords.noneOpen}
      action={
        <Button component={Link} href={to} variant={hasFriends ? "light" : "filled"}>
          {label}
        </Button>
      }
    >
      {browseWords.noneOpenText}
    </EmptyState>
  );
}

export function Browse(props: ListProps) {
  const { typed, sought, type, clear } = useSeeking(props.me);
  const query = useFound(sought);
  const { term, category, location } = sought;
  const isAll = term === "" && category === FavorCategory.UNSPECIFIED && location === "";

  const told = (favors: readonly Favor[]): ReactNode => {
    const { length } = favors;
    // They may all stand on a later page.
    if (length === 0) return null;
    const text = query.hasNextPage ? browseWords.over(length) : browseWords.count(length);
    return (
      <p className="dim t14 found" role="status">
        {isAll ? browseWords.fromFriends(text) : text}
      </p>
    );
  };
  const shape = {
    query,
    failed: term === "" ? browseWords.failed : browseWords.searchFailed,
    empty: isAll ? <NothingOpen /> : <NothingFound onClear={clear} />,
    clonable: false,
    head: <Fields typed={typed} type={type} />,
    told,
    isOld: query.isPlaceholderData,
  };
  return <Cards {...props} shape={shape} />;
}
