// A browser without a script: it keeps cookies, follows what it is sent, and fills in forms as they stand on a page.
import assert from "node:assert/strict";

const FOLLOWED_MAX = 20;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (text) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]);
const attribute = (tag, name) => plain(tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1] ?? "");

export class Browser {
  /** By host and not by port, as browsers have it. */
  #cookies = [];
  /** Where the application waits: what leads there is not followed. */
  #home;

  constructor(home) {
    this.#home = home;
  }

  /** Opens an address, and goes where it leads: to a page, or back to the application. */
  async open(address, init = {}) {
    let [at, how] = [new URL(address), init];
    for (let n = 0; n < FOLLOWED_MAX; n += 1) {
      if (at.href.startsWith(this.#home)) return { home: at };
      const response = await fetch(at, { ...how, redirect: "manual", headers: { ...how.headers, cookie: this.#sent(at) } });
      for (const set of response.headers.getSetCookie()) this.#keep(at, set);
      const location = response.headers.get("location");
      if (location === null) return { at, status: response.status, body: await response.text() };
      // Anything but another address is asked by GET.
      [at, how] = [new URL(location, at), {}];
    }
    throw new Error(`${address} leads nowhere`);
  }

  /** Fills in the form of a page that has the field of the first of these, or the only one, and sends it. */
  async send(page, typed = {}) {
    const [wanted] = Object.keys(typed);
    const forms = [...page.body.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
    const form = forms.find((text) => wanted === undefined || text.includes(`name="${wanted}"`));
    assert.ok(form, `no form with ${wanted}: ${page.status} ${page.body}`);
    const fields = [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => [attribute(tag, "name"), attribute(tag, "value")]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields.filter(([name]) => name !== "")), ...typed });
    return await this.open(new URL(attribute(form, "action"), page.at), { method: "POST", body });
  }

  /** Follows the link of a page with these words. */
  async follow(page, words) {
    const link = [...page.body.matchAll(/<a\b[^>]*>[\s\S]*?<\/a>/g)].map(([text]) => text).find((text) => text.includes(words));
    assert.ok(link, `no link with ${words}: ${page.body}`);
    return await this.open(new URL(attribute(link, "href"), page.at));
  }

  #keep(at, set) {
    const [pair, ...rest] = set.split(";").map((part) => part.trim());
    const said = Object.fromEntries(rest.map((part) => part.split("=", 2)).map(([name, value]) => [name.toLowerCase(), value]));
    const cookie = { host: at.hostname, path: said.path ?? "/", name: pair.split("=", 1)[0], pair };
    this.#cookies = this.#cookies.filter((c) => c.host !== cookie.host || c.path !== cookie.path || c.name !== cookie.name);
    const isOver = said["max-age"] === "0" || (said.expires !== undefined && new Date(said.expires) < new Date());
    if (!isOver) this.#cookies.push(cookie);
  }

  #sent(at) {
    const fits = ({ host, path }) => host === at.hostname && `${at.pathname}/`.startsWith(path.endsWith("/") ? path : `${path}/`);
    return this.#cookies.filter(fits).map((c) => c.pair).join("; ");
  }
}
