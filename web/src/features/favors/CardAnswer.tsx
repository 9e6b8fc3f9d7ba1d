// The answer that a card offers to somebody else's favor: to help, or to offer help.
import { Button } from "@mantine/core";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useAnswers } from "./answers";
import { browseWords } from "./browseWords";
import { answerWords } from "./cardWords";
import { isProposed } from "./laterQueries";

type Props = { favor: Favor; onOffer: (favor: Favor) => void };

export function CardAnswer({ favor, onOffer }: Props) {
  const answers = useAnswers();
  const can = (action: FavorAction): boolean => favor.allowedActions.includes(action);
  // The favor itself has the ways on.
  if (isProposed(favor)) return null;
  if (can(FavorAction.ACCEPT))
    return (
      <Button
        className="over"
        variant="light"
        loading={answers.busy === FavorAction.ACCEPT}
        onClick={() => void answers.asked(favor, FavorAction.ACCEPT)}
      >
        {favor.responses > 0 ? browseWords.backUp : answerWords.accept}
      </Button>
    );
  if (!can(FavorAction.APPLY)) return null;
  return (
    <Button className="over" variant="light" aria-haspopup="dialog" onClick={() => onOffer(favor)}>
      {browseWords.offer}
    </Button>
  );
}
