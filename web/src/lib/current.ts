// The session of this page. How its calls travel is loaded when the first is made.
import { createSession } from "./session";

export const session = createSession(() => import("./bare").then((m) => m.identity));

/** Whether the page began with a session of before: its member has been here. */
export const isResumed = session.get().kind === "signedIn";
