// Style sheets of parts of the app. One that does not come is asked for again with its part: the bundler asks once.
const lost = new Set<string>();

function lose(link: HTMLLinkElement): void {
  lost.add(link.href);
  link.remove();
}

/** Those that have not come: under way, or lost before this file ran. */
const missing = (): HTMLLinkElement[] =>
  [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter(({ sheet }) => sheet === null);

// A script runs when the page's own style sheets have come or are lost.
for (const link of missing()) lose(link);

window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") lose(target);
  },
  // What a resource says of itself does not bubble.
  true,
);

const ended = (link: HTMLLinkElement): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ["load", "error"]) link.addEventListener(event, () => resolve(), { once: true });
  });

function fetched(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new TypeError(`${href} did not come`)));
    document.head.append(link);
  });
}

/**
 * Asks for the style sheets again that did not come. Of those that are under way, because their part is fetched ahead, it is first awaited
 * what becomes: the bundler waits for each of them only once.
 */
export async function stylesAgain(): Promise<void> {
  await Promise.all(missing().map(ended));
  const again = [...lost];
  lost.clear();
  await Promise.all(again.map(fetched));
}
