// The fields of the form of an item, for a new one and for one that is changed.
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { IconCash, IconCoins, IconLink, IconMapPin } from "@tabler/icons-react";
import { nextCurrency, typedAmountOf } from "../../lib/money";
import { Loaded } from "../../ui/Loaded";
import { Checkbox } from "../../ui/Checkbox";
import { ITEM_CATEGORIES, ItemCategoryTile } from "../../ui/item";
import { itemCategoryWords, noticeWords, policyWords } from "../../ui/itemWords";
import { SectionRows } from "../../ui/SectionRows";
import "../../ui/styles/form.css";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { CITY_MAX, DESCRIPTION_MAX, type ItemValues, POLICIES, TITLE_MAX, URL_MAX } from "./form";
import { formWords } from "./formWords";
import "./items.css";
import { useMyGroups } from "./queries";
import type { ItemFormState } from "./useItemForm";

type Props = { state: ItemFormState };
/** Those that are typed. */
type Typed = { [K in keyof ItemValues]: ItemValues[K] extends string ? K : never }[keyof ItemValues];

/** What a text input needs to stand for a field. */
const field = (state: ItemFormState, name: Exclude<Typed, "currency">) => ({
  id: state.idOf(name),
  value: state.values[name],
  error: state.wrong[name],
  "aria-invalid": state.wrong[name] !== undefined,
  onChange: (event: { currentTarget: { value: string } }) => state.type({ [name]: event.currentTarget.value }),
  onBlur: () => state.leave(name),
});

function Category({ state }: Props) {
  return (
    <fieldset className="fieldset" id={state.idOf("category")} tabIndex={-1}>
      <legend className="lbl">{formWords.category}</legend>
      <div className="catgrid kinds">
        {ITEM_CATEGORIES.map((category) => (
          <label key={category} className="pick">
            <input
              type="radio"
              name={state.idOf("category")}
              checked={state.values.category === category}
              onChange={() => state.type({ category })}
            />
            <ItemCategoryTile category={category} />
            {itemCategoryWords[category]}
          </label>
        ))}
      </div>
      {state.wrong.category !== undefined && <div className="msg">{state.wrong.category}</div>}
    </fieldset>
  );
}

function Amounts({ state }: Props) {
  const { currency } = state.values;
  const amount = { inputMode: "decimal", placeholder: typedAmountOf(0), autoComplete: "off" } as const;
  return (
    <div className="amounts">
      <TextInput
        label={formWords.price}
        description={formWords.free}
        leftSection={<IconCoins size={20} />}
        inputContainer={(input) => (
          <div className="row s">
            <div className="grow">{input}</div>
            <Button
              variant="default"
              className="beside-field"
              aria-label={formWords.currency(currency)}
              onClick={() => state.type({ currency: nextCurrency(currency) })}
            >
              {currency}
            </Button>
          </div>
        )}
        {...amount}
        {...field(state, "price")}
      />
      <TextInput
        label={formWords.deposit}
        description={formWords.amountSub}
        leftSection={<IconCash size={20} />}
        {...amount}
        {...field(state, "deposit")}
      />
      <TextInput
        label={formWords.maxDays}
        description={formWords.maxDaysSub}
        inputMode="numeric"
        autoComplete="off"
        {...field(state, "maxDays")}
      />
    </div>
  );
}

function Policy({ state }: Props) {
  return (
    <fieldset className="fieldset stack xs">
      <legend className="lbl">{formWords.policy}</legend>
      <SegmentedControl
        fullWidth
        className="seg"
        aria-label={formWords.policy}
        value={String(state.values.policy)}
        data={POLICIES.map((policy) => ({ value: String(policy), label: policyWords[policy] }))}
        onChange={(value) => state.type({ policy: POLICIES.find((one) => String(one) === value) ?? POLICIES[0] })}
      />
      <p className="dim t14" role="status">
        {noticeWords[state.values.policy]}
      </p>
    </fieldset>
  );
}

/** Which of the member's groups see it, where there are any. */
function Groups({ state }: Props) {
  const groups = useMyGroups();
  const { values, wrong, idOf } = state;
  const toggle = (id: string): void =>
    state.type({
      groups: values.groups.includes(id) ? values.groups.filter((one) => one !== id) : [...values.groups, id],
    });
  return (
    <Loaded
      small
      query={groups}
      skeleton={<SectionRows label={frameWords.loading} />}
      failed={formWords.groupsFailed}
      isEmpty={(all) => all.length === 0}
      empty={null}
    >
      {(all) => (
        <fieldset className="fieldset" id={idOf("groups")} tabIndex={-1}>
          <legend className="lbl">{formWords.groups}</legend>
          <p className="dim t14">{formWords.groupsSub}</p>
          <div className="stack xs groupboxes">
            {all.map(({ groupId, groupName }) => (
              <Checkbox
                key={groupId}
                checked={values.groups.includes(groupId)}
                onChange={() => toggle(groupId)}
                label={<Words>{groupName}</Words>}
              />
            ))}
          </div>
          {wrong.groups !== undefined && <div className="msg">{wrong.groups}</div>}
        </fieldset>
      )}
    </Loaded>
  );
}

function Visible({ state }: Props) {
  const { isPublic } = state.values;
  return (
    <fieldset className="fieldset stack s visible">
      <legend className="lbl">{formWords.visibility}</legend>
      <SegmentedControl
        fullWidth
        className="seg"
        aria-label={formWords.visibility}
        value={isPublic ? "public" : "friends"}
        data={[
          { value: "friends", label: formWords.friends },
          { value: "public", label: formWords.everybody },
        ]}
        onChange={(value) => state.type({ isPublic: value === "public" })}
      />
      <p className="dim t14">{isPublic ? formWords.forEverybody : formWords.onlyFriends}</p>
      {!isPublic && <Groups state={state} />}
    </fieldset>
  );
}

export function ItemFields({ state }: Props) {
  return (
    <fieldset className="fieldset stack f" disabled={state.isBusy}>
      <TextInput label={formWords.title} maxLength={TITLE_MAX} {...field(state, "title")} />
      <Textarea label={formWords.description} maxLength={DESCRIPTION_MAX} {...field(state, "description")} />
      <Category state={state} />
      <TextInput
        type="url"
        label={formWords.link}
        placeholder={formWords.linkExample}
        maxLength={URL_MAX}
        leftSection={<IconLink size={20} />}
        {...field(state, "url")}
      />
      <Amounts state={state} />
      <Policy state={state} />
      <TextInput
        label={formWords.city}
        maxLength={CITY_MAX}
        leftSection={<IconMapPin size={20} />}
        {...field(state, "city")}
      />
      <Visible state={state} />
    </fieldset>
  );
}
