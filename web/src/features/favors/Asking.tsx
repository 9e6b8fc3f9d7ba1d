// Who is asked for a favor: friends and groups that are chosen, and how many of them may accept; or all friends.
import { ActionIcon, SegmentedControl } from "@mantine/core";
import { IconChevronRight, IconMinus, IconPlus, IconUsers } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import type { Fields } from "../../lib/fields";
import { namesOf } from "../../lib/lists";
import { Faces } from "../../ui/Face";
import { Opener } from "../../ui/Fields";
import { askedOf, type Chosen, type Circle, knownOf, namesIn, useCircle } from "./circle";
import { type FavorValues, RESPONSES_MAX } from "./form";
import { formWords } from "./formWords";
import { words } from "./words";

type Props = { fields: Fields<FavorValues>; staysPublic: boolean; onOpen: () => void };

const CHOICES = [
  { value: "some", label: formWords.someFriends },
  { value: "all", label: formWords.allFriends },
];

/** Those chosen, the groups first, by name; by their number while the names are on their way. */
function Names({ recipients, groups, circle }: Chosen & { circle: Circle | undefined }) {
  const count = recipients.length + groups.length;
  if (count === 0) return <span className="dim">{formWords.chooseCircle}</span>;
  if (circle === undefined) return groups.length > 0 ? formWords.chosen(count) : words.friends(count);
  const chosen = { recipients, groups };
  const names = namesIn(circle, chosen, (friend) => friend.firstName || friend.displayName);
  const known = knownOf(circle, chosen);
  if (known.groups.length < groups.length) names.push(formWords.noGroupAnyMore);
  return namesOf(known.recipients.length < recipients.length ? [...names, formWords.noFriendAnyMore] : names);
}

function Who({ fields, onOpen }: Omit<Props, "staysPublic">) {
  const { data: circle } = useCircle();
  const people = circle && askedOf(circle, fields.values);
  return (
    <Opener
      id={fields.idOf("recipients")}
      label={formWords.whoToAsk}
      hideLabel
      icon={people === undefined || people.length === 0 ? <IconUsers size={20} /> : <Faces people={people} size={36} />}
      value={<Names {...fields.values} circle={circle} />}
      aside={<IconChevronRight size={20} />}
      error={fields.errors.recipients}
      onOpen={onOpen}
    />
  );
}

/** Of one there is nothing to say: whoever is asked alone is the one who may accept. */
function MayAccept({ fields }: Pick<Props, "fields">) {
  const id = useId();
  const { maxResponses, recipients, groups } = fields.values;
  if (maxResponses === 1 && recipients.length < 2 && groups.length === 0) return null;
  const step = (to: number, label: string, icon: ReactNode) => {
    const isEnd = to < 1 || to > RESPONSES_MAX;
    return (
      // At its end it keeps the focus.
      <ActionIcon
        variant="default"
        aria-label={label}
        aria-disabled={isEnd}
        data-disabled={isEnd || undefined}
        onClick={() => !isEnd && fields.set("maxResponses", to)}
      >
        {icon}
      </ActionIcon>
    );
  };
  return (
    <div role="group" aria-labelledby={id} className="row between wraps mayaccept">
      <div className="grow">
        <span className="b6" id={id}>
          {formWords.mayAccept}
        </span>
        <p className="dim t14">{formWords.backUps(maxResponses - 1)}</p>
        {fields.errors.maxResponses !== undefined && <p className="msg">{fields.errors.maxResponses}</p>}
      </div>
      <div className="row s">
        {step(maxResponses - 1, formWords.fewer, <IconMinus size={20} />)}
        <output id={fields.idOf("maxResponses")} tabIndex={-1} className="b6 num howmany">
          {formWords.responses(maxResponses)}
        </output>
        {step(maxResponses + 1, formWords.more, <IconPlus size={20} />)}
      </div>
    </div>
  );
}

export function Asking({ fields, staysPublic, onOpen }: Props) {
  const { isPublic } = fields.values;
  return (
    <fieldset className="fieldset">
      <legend className="lbl">{formWords.whoToAsk}</legend>
      <div className="stack s">
        {!staysPublic && (
          <SegmentedControl
            id={fields.idOf("isPublic")}
            className="seg"
            maw="none"
            fullWidth
            aria-label={formWords.whoToAsk}
            data={CHOICES}
            value={isPublic ? "all" : "some"}
            onChange={(value) => fields.set("isPublic", value === "all")}
          />
        )}
        {fields.errors.isPublic !== undefined && <p className="msg">{fields.errors.isPublic}</p>}
        {isPublic ? (
          <p className="dim t14">{formWords.allFriendsText}</p>
        ) : (
          <>
            <Who fields={fields} onOpen={onOpen} />
            <MayAccept fields={fields} />
          </>
        )}
      </div>
    </fieldset>
  );
}
