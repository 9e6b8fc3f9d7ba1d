// Names those a draft will ask: the groups first, then friends.
import { type Favor, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { namesOf } from "../../lib/lists";
import { Words } from "../../ui/Words";
import { cardWords } from "./cardWords";
import { namesIn, useCircle } from "./circle";

/** Their number, as long as their names are not known. */
export function DraftAsked({ draft: { requestType, recipients, groupIds } }: { draft: Favor }) {
  const { data: circle } = useCircle();
  if (requestType === RequestType.PUBLIC) return cardWords.allFriends;
  if (circle === undefined) return cardWords.chosen(recipients.length + groupIds.length);
  const names = namesIn(circle, { recipients, groups: groupIds }, ({ displayName }) => displayName);
  return names.length === 0 ? cardWords.nobodyChosen : <Words>{namesOf(names)}</Words>;
}
