// The form of a group over the groups that there are, until they have come.
import { Skeleton } from "@mantine/core";
import { times, Waiting } from "../../ui/Skeletons";
import "./groups.css";
import { words } from "./words";

const Pick = () => (
  <div className="card row s" style={{ padding: "0.5rem", minHeight: "3.75rem" }}>
    <Skeleton circle height={36} />
    <div className="grow">
      <Skeleton h={16} w="60%" />
    </div>
  </div>
);

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
        <div className="card stack f">
          <div className="stack xs">
            <Skeleton h={20} w={96} />
            <Skeleton h={44} />
          </div>
          <div className="stack xs">
            <Skeleton h={20} w={64} />
            <div className="pickgrid">
              {times(4).map((i) => (
                <Pick key={i} />
              ))}
            </div>
          </div>
          <Skeleton h={52} />
        </div>
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
