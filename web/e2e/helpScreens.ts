// The screens of a favor that several members help with. Each is a step of one favor or of another.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "./test";
import { FavorResponse, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, joined } from "./backstage";
import { signIn, visit } from "./people";
import { button, type Walk } from "./walk";

const DAY_MS = 86_400_000;
const MESSAGE = "I get the van then, and my brother comes along. It takes us an hour or two.";

/** A member asks for two favors, one of all friends; for the other a friend proposes another time. */
async function asked() {
  const [eve, ben, zoe] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega"), joined("Zoe Arndt")]);
  const [own, bens, zoes] = await Promise.all([as(eve), as(ben), as(zoe)]);
  await Promise.all([bens.askToBeFriends(eve), zoes.askToBeFriends(eve)]);
  await own.acceptFriends();
  const piano = await own.post("Move a piano", [ben, zoe], { maxResponses: 3, tip: 15, location: "12 Elm Street" });
  const party = await own.post("Set up the street party", [], { requestType: RequestType.PUBLIC });
  const proposedStart = timestampFromDate(new Date(Date.now() + 2 * DAY_MS));
  const response = FavorResponse.ANOTHER_TIME;
  await bens.acts.respondToFavor({ id: piano, response, message: MESSAGE, proposedStart });
  await bens.profile.updateProfile({
    data: { paymentInfo: { venmoUsername: "ben-ortega" } },
    updateMask: { paths: ["data.payment_info.venmo_username"] },
  });
  return { eve, own, bens, zoes, piano, party };
}

export async function helping(walk: Walk): Promise<void> {
  const { page, see } = walk;
  const { eve, own, bens, zoes, piano, party } = await asked();
  await signIn(page, eve);
  await visit(page, `/favors/${party}`);
  // A desktop shows the favor in a pane: it is drawn anew, and its sheet closes.
  const askMore = async (): Promise<void> => {
    await button(walk, "Ask one more friend").click();
    await expect(button(walk, "Ask Zoe Arndt")).toBeVisible();
  };
  await askMore();
  await see("favor-ask-two", { restore: askMore });
  const choose = async (): Promise<void> => {
    await askMore();
    await button(walk, "Ask Zoe Arndt").click();
    await expect(page.getByLabel("Message (optional)")).toBeVisible();
  };
  await choose();
  await see("favor-ask-words", { restore: choose });
  await bens.acts.applyToFavor({ id: party, message: MESSAGE });
  await zoes.acts.applyToFavor({ id: party });
  await visit(page, `/favors/${party}`);
  await expect(page.getByRole("list", { name: "Offers to help" }).getByRole("listitem")).toHaveCount(2);
  await see("favor-offers");
  await visit(page, `/favors/${piano}`);
  await expect(page.getByRole("list", { name: "Proposed times" })).toBeVisible();
  await see("favor-times");
  const askNobody = async (): Promise<void> => {
    await button(walk, "Ask one more friend").click();
    await expect(page.getByText("Everyone has been asked")).toBeVisible();
  };
  await askNobody();
  await see("favor-ask-nobody", { restore: askNobody });

  await bens.acts.respondToFavor({ id: piano, response: FavorResponse.ACCEPT });
  await zoes.acts.respondToFavor({ id: piano, response: FavorResponse.ACCEPT });
  await expect(page.locator(".backups")).toBeVisible();
  await see("favor-back-up");
  await own.acts.completeFavor({ id: piano });
  const payPal = async (): Promise<void> => {
    await button(walk, "Pay with PayPal").click();
    await expect(page.getByText("Payment Method Not Available")).toBeVisible();
  };
  await payPal();
  await see("favor-pay-none", { restore: payPal });
  const byHand = async (): Promise<void> => {
    await button(walk, "Pay with Venmo").click();
    await expect(page.getByText("@ben-ortega", { exact: true })).toBeVisible();
  };
  await byHand();
  await see("favor-pay-by-hand", { restore: byHand });
}
