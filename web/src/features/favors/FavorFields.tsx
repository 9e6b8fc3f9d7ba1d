// The fields of the favor form, for a new favor and for one that is changed.
import { Button, Textarea, TextInput } from "@mantine/core";
import { IconCalendarEvent, IconClockHour4, IconCoins, IconMapPin } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { type Fields, textField } from "../../lib/fields";
import { nextCurrency, typedAmountOf } from "../../lib/money";
import { present } from "../../lib/now";
import { part } from "../../lib/parts";
import { exactTime, relativeTime, useNow } from "../../lib/times";
import { rememberFocus } from "../../ui/focus";
import { Opener } from "../../ui/Fields";
import { Sheet } from "../../ui/Sheet";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { RowSkeletons } from "../../ui/Skeletons";
import "../../ui/styles/form.css";
import { words as frameWords } from "../../ui/shellWords";
import { Asking } from "./Asking";
import { CATEGORIES, type FavorValues, withStart } from "./form";
import { CategoryTile } from "./look";
import { formWords, sheetWords } from "./formWords";
import { categoryWords } from "./badgeWords";
import { cardWords } from "./cardWords";

const CalendarSheet = part(() => import("./CalendarSheet").then((m) => m.default));
const RecipientSheet = part(() => import("./RecipientSheet").then((m) => m.default));

type Props = { fields: Fields<FavorValues> };
/** `staysPublic`: friends may have offered help for it. */
type FormProps = Props & { staysPublic?: boolean };
type Open = "start" | "confirmBy" | "recipients" | null;

function Category({ fields }: Props) {
  return (
    <fieldset className="fieldset">
      <legend className="lbl">{formWords.category}</legend>
      <div className="catgrid">
        {CATEGORIES.map((category) => (
          <label key={category} className="pick">
            <input
              type="radio"
              name={fields.idOf("category")}
              checked={fields.values.category === category}
              onChange={() => fields.set("category", category)}
            />
            <CategoryTile category={category} />
            {categoryWords[category]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function When({ fields, onOpen }: Props & { onOpen: (field: "start" | "confirmBy") => void }) {
  const now = useNow();
  const { start, confirmBy } = fields.values;
  const rowOf = (iso: string, none: string) =>
    iso === ""
      ? { value: <span className="dim">{none}</span> }
      : { value: exactTime(new Date(iso), now), aside: relativeTime(new Date(iso), now) };

  function openDeadline(): void {
    if (start === "") fields.show({ confirmBy: formWords.startFirst });
    else onOpen("confirmBy");
  }

  return (
    <fieldset className="fieldset">
      <legend className="lbl">{formWords.when}</legend>
      <div className="stack s">
        <Opener
          id={fields.idOf("start")}
          label={cardWords.start}
          icon={<IconCalendarEvent size={20} />}
          error={fields.errors.start}
          onOpen={() => onOpen("start")}
          {...rowOf(start, formWords.chooseTime)}
        />
        <Opener
          id={fields.idOf("confirmBy")}
          label={cardWords.confirmBy}
          icon={<IconClockHour4 size={20} />}
          error={fields.errors.confirmBy}
          onOpen={openDeadline}
          {...rowOf(confirmBy, formWords.eveningBefore)}
        />
      </div>
    </fieldset>
  );
}

function Tip({ fields }: Props) {
  const { currency } = fields.values;
  return (
    <div className="row s start">
      <TextInput
        className="grow"
        label={formWords.tip}
        inputMode="decimal"
        placeholder={typedAmountOf(0)}
        autoComplete="off"
        leftSection={<IconCoins size={20} />}
        {...textField(fields, "tip")}
      />
      <Button
        variant="default"
        style={{ marginTop: "1.5rem", minHeight: "3rem", minWidth: "5.25rem" }}
        aria-label={formWords.currency(currency)}
        onClick={() => fields.set("currency", nextCurrency(currency))}
      >
        {currency}
      </Button>
    </div>
  );
}

export function FavorFields({ fields, staysPublic = false }: FormProps) {
  const [open, setOpen] = useState<Open>(null);
  const giveBack = useRef<() => void>(undefined);

  function show(field: Open): void {
    giveBack.current = rememberFocus();
    setOpen(field);
  }

  function close(): void {
    setOpen(null);
    giveBack.current?.();
  }

  const { values } = fields;

  function chooseTime(iso: string): void {
    if (open === "start") fields.replace(withStart(values, iso, present()));
    else if (iso > values.start) fields.show({ confirmBy: formWords.invalidDate });
    else fields.set("confirmBy", iso);
    close();
  }

  return (
    <div className="stack f">
      <Asking fields={fields} staysPublic={staysPublic} onOpen={() => show("recipients")} />
      <TextInput
        label={formWords.title}
        placeholder={formWords.titleExample}
        maxLength={200}
        {...textField(fields, "title")}
      />
      <Textarea
        label={formWords.description}
        placeholder={formWords.descriptionExample}
        maxLength={4000}
        {...textField(fields, "description")}
      />
      <Category fields={fields} />
      <When fields={fields} onOpen={show} />
      <TextInput
        label={formWords.location}
        maxLength={200}
        leftSection={<IconMapPin size={20} />}
        {...textField(fields, "location")}
      />
      <Tip fields={fields} />
      {(open === "start" || open === "confirmBy") && (
        <Sheet
          key={open}
          opened
          onClose={close}
          title={sheetWords.selectTime}
          skeleton={<CalendarSkeleton label={frameWords.loading} />}
        >
          <CalendarSheet
            value={values[open]}
            {...(open === "confirmBy" ? { latest: values.start } : {})}
            onChoose={chooseTime}
          />
        </Sheet>
      )}
      {open === "recipients" && (
        <Sheet
          opened
          onClose={close}
          title={sheetWords.whoCanHelp}
          skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
        >
          <RecipientSheet
            chosen={values}
            onClose={close}
            onDone={(chosen) => {
              fields.set("recipients", [...chosen.recipients]);
              fields.set("groups", [...chosen.groups]);
              close();
            }}
          />
        </Sheet>
      )}
    </div>
  );
}
