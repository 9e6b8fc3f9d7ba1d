// The status of a favor in its tone, and the tag of its category. Home loads without them.
import { FavorCategory, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Tone } from "../../ui/theme";
import { categoryWords, statusWords } from "./badgeWords";
import { categoryLooks } from "./look";

const tones: Record<FavorStatus, Tone> = {
  [FavorStatus.UNSPECIFIED]: "idle",
  [FavorStatus.DRAFT]: "idle",
  [FavorStatus.ACTIVE]: "wait",
  [FavorStatus.PENDING]: "wait",
  [FavorStatus.OPEN]: "wait",
  [FavorStatus.ACCEPTED]: "ok",
  [FavorStatus.COMPLETED]: "ok",
  [FavorStatus.SETTLED]: "ok",
  [FavorStatus.CANCELLED]: "no",
  [FavorStatus.DECLINED]: "no",
};

export function StatusBadge({ status }: { status: FavorStatus }) {
  return (
    <span className="badge" data-tone={tones[status] ?? "idle"}>
      {statusWords[status] ?? statusWords[FavorStatus.UNSPECIFIED]}
    </span>
  );
}

export function CategoryTag({ category }: { category: FavorCategory }) {
  const { tint, Icon } = categoryLooks[category] ?? categoryLooks[FavorCategory.GENERAL];
  return (
    <span className="tag" data-tint={tint}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {categoryWords[category] ?? categoryWords[FavorCategory.UNSPECIFIED]}
    </span>
  );
}
