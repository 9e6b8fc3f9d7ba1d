// A member with their face, above what is done about them.
import { dayOf } from "../../lib/times";
import { Face } from "../../ui/Face";
import { Words } from "../../ui/Words";
import { nameOf } from "./names";
import type { Somebody } from "./PersonSheet";
import { words } from "./words";

export function Person({ who }: { who: Somebody }) {
  const name = nameOf(who);
  return (
    <div className="row wraps">
      <Face person={{ ...who, displayName: name }} size={64} />
      <div className="grow">
        <h3 className="t18 breakable">
          <Words>{name}</Words>
        </h3>
        {who.email !== "" && (
          <p className="dim t14 breakable">
            <Words>{who.email}</Words>
          </p>
        )}
        {who.isFriend && (
          <p className="dim t14">{words.friendsSince(who.since === undefined ? words.recently : dayOf(who.since))}</p>
        )}
      </div>
    </div>
  );
}
