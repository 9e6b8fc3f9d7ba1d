// The values of the favor form: blank, cloned, read from a favor or from what was kept; checked; and turned into a request.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Favor, FavorCategory, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { amountFrom } from "../../lib/amount";
import type { Errors } from "../../lib/fields";
import { CURRENCIES, type Currency, typedAmountOf } from "../../lib/money";
import { toDate } from "../../lib/times";
import type { Chosen } from "./circle";
import { codeOf, currencyOf } from "./look";
import { formWords, sheetWords } from "./formWords";
import { words } from "./words";

export type FavorValues = {
  title: string;
  description: string;
  category: FavorCategory;
  /** ISO instants; empty while not chosen. */
  start: string;
  confirmBy: string;
  /** Where; empty means not said. */
  location: string;
  /** As typed; empty means none. */
  tip: string;
  currency: Currency;
  /** All friends are asked; those who were chosen before come back with another choice. */
  isPublic: boolean;
  recipients: string[];
  /** Who is in them is asked when it is posted; a posted favor has none. */
  groups: string[];
  /** How many of them may accept: the first helps, the others stand by. */
  maxResponses: number;
};

export const CATEGORIES = [
  FavorCategory.GENERAL,
  FavorCategory.ERRANDS,
  FavorCategory.PHYSICAL_HELP,
  FavorCategory.PET_CARE,
] as const;
/** In the order in which they stand. */
const FIELDS = [
  "title",
  "description",
  "category",
  "start",
  "confirmBy",
  "location",
  "tip",
  "currency",
  "isPublic",
  "recipients",
  "groups",
  "maxResponses",
] as const;
export const RESPONSES_MAX = 100;
const CLONE_HOUR = 10;
const EVENING_HOUR = 18;
/** A default deadline leaves friends this much time to answer. */
const DEFAULT_DEADLINE_LEAD_MS = 60 * 60 * 1000;

export const blank = (): FavorValues => ({
  title: "",
  description: "",
  category: FavorCategory.GENERAL,
  start: "",
  confirmBy: "",
  location: "",
  tip: "",
  currency: "USD",
  isPublic: false,
  recipients: [],
  groups: [],
  maxResponses: 1,
});

/** Who is asked, as it counts: all friends are asked as one, and the creator picks one of those who offer help. */
function askedIn({ isPublic, recipients, groups, maxResponses }: FavorValues) {
  return isPublic ? { recipients: [], groups: [], maxResponses: 1 } : { recipients, groups, maxResponses };
}

export const isBlank = (values: FavorValues): boolean => isSame(values, blank());

/** As the server keeps it: "15" is "15.00", and a deadline that is not chosen is the start. */
function normal(v: FavorValues): FavorValues {
  const { recipients, groups, maxResponses } = askedIn(v);
  return {
    ...v,
    title: v.title.trim(),
    description: v.description.trim(),
    confirmBy: v.confirmBy || v.start,
    location: v.location.trim(),
    tip: String(amountFrom(v.tip)),
    recipients: recipients.toSorted(),
    groups: groups.toSorted(),
    maxResponses,
  };
}

/** The fields in which two forms differ, whatever way the same is spelled. */
export function changedFields(one: FavorValues, other: FavorValues): (keyof FavorValues)[] {
  const [a, b] = [normal(one), normal(other)];
  return FIELDS.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

export const isSame = (one: FavorValues, other: FavorValues): boolean => changedFields(one, other).length === 0;

/** Whether a favor has become what was sent of it: who is in the groups is among the recipients of a posted one. */
export function isSentAs(favor: FavorValues, sent: FavorValues): boolean {
  if (favor.groups.length > 0 || sent.groups.length === 0) return isSame(favor, sent);
  const others = changedFields(favor, { ...sent, groups: [] }).filter((name) => name !== "recipients");
  return others.length === 0 && sent.recipients.every((uid) => favor.recipients.includes(uid));
}

function tomorrowAt(hour: number, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, hour).toISOString();
}

/** One that this form does not offer is a general one. */
const categoryOf = ({ category }: Favor): FavorCategory =>
  CATEGORIES.find((known) => known === category) ?? FavorCategory.GENERAL;

/** Copies what is asked; asks it for tomorrow at 10:00, without tip and of nobody yet. */
export function cloneOf(favor: Favor, now: Date): FavorValues {
  const at = tomorrowAt(CLONE_HOUR, now);
  return {
    ...blank(),
    title: favor.title,
    description: favor.description,
    category: categoryOf(favor),
    start: at,
    confirmBy: at,
  };
}

const responsesFrom = (count: number): number => Math.min(Math.max(Math.trunc(count) || 1, 1), RESPONSES_MAX);

export function valuesOf(favor: Favor): FavorValues {
  return {
    title: favor.title,
    description: favor.description,
    category: categoryOf(favor),
    start: toDate(favor.startDate)?.toISOString() ?? "",
    confirmBy: toDate(favor.confirmationDate)?.toISOString() ?? "",
    location: favor.location,
    tip: favor.tip > 0 ? typedAmountOf(favor.tip) : "",
    currency: codeOf(favor.currency),
    isPublic: favor.requestType === RequestType.PUBLIC,
    recipients: [...favor.recipients],
    groups: [...favor.groupIds],
    maxResponses: responsesFrom(favor.maxResponses),
  };
}

/** What was kept, when it still has the shape of this form. */
export function readValues(value: unknown): FavorValues | null {
  if (typeof value !== "object" || value === null) return null;
  const v = value as Partial<Record<keyof FavorValues, unknown>>;
  const texts = [v.title, v.description, v.start, v.confirmBy, v.tip];
  const category = CATEGORIES.find((c) => c === v.category);
  const currency = CURRENCIES.find((c) => c === v.currency);
  if (
    !texts.every((t) => typeof t === "string") ||
    category === undefined ||
    currency === undefined ||
    !Array.isArray(v.recipients)
  )
    return null;
  const [title = "", description = "", start = "", confirmBy = "", tip = ""] = texts.map(String);
  const recipients = v.recipients.map(String);
  // What an earlier release kept has none of these.
  const groups = Array.isArray(v.groups) ? v.groups.map(String) : [];
  const location = typeof v.location === "string" ? v.location : "";
  const asked = {
    isPublic: v.isPublic === true,
    maxResponses: responsesFrom(Number(v.maxResponses)),
    recipients,
    groups,
  };
  return { title, description, start, confirmBy, location, tip, category, currency, ...asked };
}

/** What a draft needs; posting needs more. */
export function checkDraft(values: FavorValues): Errors<FavorValues> {
  const errors: Errors<FavorValues> = {};
  if (values.title.trim() === "") errors.title = formWords.needTitle;
  if (values.description.trim() === "") errors.description = formWords.needDescription;
  if (values.confirmBy !== "" && values.confirmBy > values.start) errors.confirmBy = formWords.invalidDate;
  if (Number.isNaN(amountFrom(values.tip))) errors.tip = formWords.badTip;
  return errors;
}

/** One that is the start itself is past with it, of which the start tells. */
const isDeadlinePast = ({ start, confirmBy }: FavorValues, now: Date): boolean =>
  confirmBy !== "" && confirmBy !== start && new Date(confirmBy) < now;

/** `before` is a posted favor as it was: its deadline may pass while it is open, and counts again when it is changed. */
export function checkPost(values: FavorValues, now: Date, before = blank()): Errors<FavorValues> {
  const draft = checkDraft(values);
  const errors: Errors<FavorValues> = {};
  // In the order in which the fields stand, since the first wrong one gets the focus.
  if (!values.isPublic && values.recipients.length + values.groups.length === 0)
    errors.recipients = formWords.needRecipient;
  if (draft.title !== undefined) errors.title = draft.title;
  if (draft.description !== undefined) errors.description = draft.description;
  if (values.start === "") errors.start = formWords.needStart;
  else if (new Date(values.start) < now) errors.start = words.startInPast;
  if (draft.confirmBy !== undefined) errors.confirmBy = draft.confirmBy;
  else if (isDeadlinePast(values, now) && values.confirmBy !== before.confirmBy)
    errors.confirmBy = formWords.deadlineInPast;
  if (draft.tip !== undefined) errors.tip = draft.tip;
  return errors;
}

/** The evening of the day before. */
function eveningBefore(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - 1, EVENING_HOUR).toISOString();
}

/** Whether the deadline is what a start brought along. */
const isDefault = ({ start, confirmBy }: FavorValues): boolean =>
  confirmBy === "" || confirmBy === start || (start !== "" && confirmBy === eveningBefore(start));

/**
 * Choosing a start brings the deadline along, unless the member has set that: it is the evening before if that is at least an hour ahead, else
 * the start. It never stays behind the start.
 */
export function withStart(values: FavorValues, start: string, now: Date): FavorValues {
  if (!isDefault(values) && values.confirmBy <= start) return { ...values, start };
  const evening = eveningBefore(start);
  const isAhead = new Date(evening).getTime() - now.getTime() >= DEFAULT_DEADLINE_LEAD_MS;
  return { ...values, start, confirmBy: isAhead ? evening : start };
}

const instant = (iso: string) => (iso === "" ? undefined : timestampFromDate(new Date(iso)));

function fieldsOf(values: FavorValues) {
  const { recipients, groups, maxResponses } = askedIn(values);
  return {
    title: values.title.trim(),
    description: values.description.trim(),
    category: values.category,
    startDate: instant(values.start),
    confirmationDate: instant(values.confirmBy),
    location: values.location.trim(),
    tip: amountFrom(values.tip),
    currency: currencyOf(values.currency),
    requestType: values.isPublic ? RequestType.PUBLIC : RequestType.DIRECT,
    recipients,
    groupIds: groups,
    maxResponses,
  };
}

/** What is said when it was posted. */
export const postedText = ({ isPublic }: { isPublic: boolean }): string =>
  isPublic ? formWords.postedToAll : formWords.posted;

export const createRequest = (values: FavorValues, status: FavorStatus.DRAFT | FavorStatus.ACTIVE) => ({
  ...fieldsOf(values),
  status,
});

const MASK = ["title", "description", "category", "start_date", "confirmation_date", "location", "tip", "currency"];

/** What of who is asked is named: groups and all friends where they say something, since a server of the release before knows neither. */
function maskOfAsked(values: FavorValues, before: FavorValues, isPosted: boolean): string[] {
  const type = values.isPublic === before.isPublic ? [] : ["request_type"];
  // Who was asked by name stays so when all friends are asked too.
  if (values.isPublic && (before.isPublic || isPosted)) return type;
  const [one, other] = [askedIn(values), askedIn(before)];
  return [
    ...type,
    "recipients",
    ...(one.groups.length + other.groups.length > 0 ? ["group_ids"] : []),
    ...(one.maxResponses === other.maxResponses ? [] : ["max_responses"]),
  ];
}

/** Replaces every field, so that what was emptied is emptied. `before` is what the server has. */
export function updateRequest(id: string, values: FavorValues, before = blank(), isPosted = false) {
  return { ...fieldsOf(values), id, updateMask: { paths: [...MASK, ...maskOfAsked(values, before, isPosted)] } };
}

const ASKED_MAX = 100;
const GROUPS_MAX = 20;

/** What is too much of a choice; empty when nothing is. */
export function tooMuch({ groups }: Chosen, asked: number): string {
  if (groups.length > GROUPS_MAX) return sheetWords.tooManyGroups(GROUPS_MAX);
  return asked > ASKED_MAX ? sheetWords.tooMany(ASKED_MAX) : "";
}
