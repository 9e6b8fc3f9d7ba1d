// The button for a new group over the groups that there are, until they have come.
import { Skeleton } from "@mantine/core";
import { times, Waiting } from "../../ui/Skeletons";
import "./groups.css";
import { words } from "./words";

const Row = () => (
  <div>
    <Skeleton circle height={36} />
    <div className="grow stack s">
      <Skeleton h={16} w="45%" />
      <Skeleton h={14} w="30%" />
    </div>
    <div className="row s">
      <Skeleton h={44} w={88} />
      <Skeleton h={44} w={100} />
    </div>
  </div>
);

export function GroupsSkeleton() {
  return (
    <Waiting label={words.loading}>
      <div className="stack l narrow">
        <Skeleton h="2.75rem" w="9rem" />
        <div>
          <div className="sec">
            <Skeleton h={20} w={140} />
          </div>
          <div className="card flush list groups">
            {times(2).map((i) => (
              <Row key={i} />
            ))}
          </div>
        </div>
      </div>
    </Waiting>
  );
}
