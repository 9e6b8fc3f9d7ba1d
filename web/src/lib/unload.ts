// A page that is loaded anew loses its calls, and is still there to see them fail: what failed a moment ago may have been lost by that, and is not over
// for the next page.
const UNLOAD_MS = 1000;

/** Once it is known that the page stays. */
export const onceStaying = (settle: () => void): unknown => setTimeout(settle, UNLOAD_MS);
