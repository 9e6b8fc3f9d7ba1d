// Opening what is not the app's: another app of the phone, or another page.

/** So long an app may take to come up. */
const COMES_MS = 1500;

/** Leads to an app by its own kind of address. @returns whether it came up, and hid this page. */
export async function openApp(link: string): Promise<boolean> {
  const came = new Promise<boolean>((resolve) => {
    const look = (): void => {
      if (document.visibilityState === "hidden") resolve(true);
    };
    document.addEventListener("visibilitychange", look);
    setTimeout(() => {
      document.removeEventListener("visibilitychange", look);
      resolve(document.visibilityState === "hidden");
    }, COMES_MS);
  });
  window.location.assign(link);
  return came;
}

/** Opens a page beside this one, which learns nothing of it. @returns whether the browser allowed that. */
export function openPage(link: string): boolean {
  const page = window.open(link, "_blank");
  if (page === null) return false;
  page.opener = null;
  return true;
}
