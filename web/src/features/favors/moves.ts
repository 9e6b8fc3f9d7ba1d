// What is done with a favor in one step, by its creator, who was asked, or who offers help.
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorResponse } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import type { FavorsApi } from "./deeds";

export type Step = {
  favor: Favor;
  action: FavorAction;
  message?: string;
  /** The start that is proposed, taken, or declined. */
  start?: Timestamp | undefined;
  /** Whom it is about: who is asked or chosen, or whose time is taken or declined. */
  uid?: string;
};

type Answer = { favor?: Favor | undefined };

async function answerTo(client: FavorsApi["client"], step: Step): Promise<Answer> {
  const { favor, action, message = "", uid = "", start } = step;
  const { id, terms } = favor;
  switch (action) {
    case FavorAction.PUBLISH:
      // What is posted is what is seen.
      return client.publishFavor({ id, etag: favor.etag });
    case FavorAction.COMPLETE:
      return client.completeFavor({ id, message });
    case FavorAction.SETTLE:
      return client.settleFavor({ id, message });
    case FavorAction.CANCEL:
      return client.cancelFavor({ id, knownStatus: favor.status });
    case FavorAction.DELETE:
      await client.deleteFavor({ id });
      return {};
    case FavorAction.ACCEPT:
      // What is promised is what is seen.
      return client.respondToFavor({ id, message, response: FavorResponse.ACCEPT, terms });
    case FavorAction.DECLINE:
      return client.respondToFavor({ id, message, response: FavorResponse.DECLINE });
    case FavorAction.ANOTHER_TIME:
      return client.respondToFavor({ id, message, response: FavorResponse.ANOTHER_TIME, proposedStart: start });
    case FavorAction.WITHDRAW:
      return client.withdrawFromFavor({ id, message });
    case FavorAction.APPLY:
      return client.applyToFavor({ id, message, terms });
    case FavorAction.CHOOSE:
      return client.chooseApplicant({ id, uid });
    case FavorAction.ASK:
      return client.askMember({ id, memberId: uid, message });
    case FavorAction.REPORT_MISSING_TIP:
      return client.reportMissingTip({ id, message });
    case FavorAction.ACCEPT_TIME:
      return client.acceptProposedTime({ id, uid, proposedStart: start });
    case FavorAction.DECLINE_TIME:
      // The server refuses this if the proposal has changed since.
      return client.declineProposedTime({ id, uid, message, proposedStart: start });
    case FavorAction.UNSPECIFIED:
    case FavorAction.EDIT:
      throw new Error("not an action that is taken in one call");
    default:
      return action satisfies never;
  }
}

/** Takes one of the allowed actions of a favor. @returns how it stands then; nothing where it is gone. */
export async function takeStep({ client, show, touched }: FavorsApi, step: Step): Promise<Favor | undefined> {
  try {
    const { favor } = await answerTo(client, step);
    if (favor !== undefined) show(favor);
    return favor;
  } finally {
    touched(step.favor.id);
  }
}
