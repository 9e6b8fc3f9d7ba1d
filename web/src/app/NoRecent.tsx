// Where recent favors would stand. Loaded for who has none.
import { Button } from "@mantine/core";
import { useLocation } from "wouter";
import { listPath } from "../features/favors/paths";
import { words as favorWords } from "../features/favors/words";
import { NoFavors } from "../ui/illustrations";
import { EmptyState } from "../ui/Pieces";

export function NoRecent() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing={<NoFavors size={200} />}
      title={favorWords.noActive}
      action={
        <Button variant="light" onClick={() => navigate(listPath({ tab: "create" }))}>
          {favorWords.createFavor}
        </Button>
      }
    >
      {favorWords.noActiveText}
    </EmptyState>
  );
}
