// The tabs of the friends area, as they stand in its address.
export const FRIENDS_TABS = ["requests", "find", "mine", "groups"] as const;
export type FriendsTab = (typeof FRIENDS_TABS)[number];
