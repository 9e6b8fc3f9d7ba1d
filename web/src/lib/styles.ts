// Style sheets of parts of the app. One that does not come is asked for again with its part: the bundler asks once.
const lost = new Set<string>();

window.addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    lost.add(target.href);
    target.remove();
  },
  // What a resource says of itself does not bubble.
  true,
);

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

/** Asks for the style sheets again that did not come. */
export async function stylesAgain(): Promise<void> {
  const missing = [...lost];
  lost.clear();
  await Promise.all(missing.map(fetched));
}
