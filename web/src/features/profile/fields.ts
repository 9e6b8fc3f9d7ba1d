// The fields of Edit Profile, in the order in which they stand.

export const FIELDS = ["firstName", "lastName", "displayName", "country", "phone", "venmo", "paypal"] as const;
export type Field = (typeof FIELDS)[number];
export type ProfileValues = Record<Field, string>;
