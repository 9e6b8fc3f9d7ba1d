// The way from a friend to a new favor that asks them: the form reads whom from its address.
const PARAM = "ask";

export const askFriendPath = (uid: string): string => `/favors?${new URLSearchParams({ tab: "create", [PARAM]: uid })}`;

/** Whom an address names; empty for nobody. */
export const friendToAsk = (search: URLSearchParams): string => search.get(PARAM) ?? "";
