// The texts of a favor's status and category. Home loads without them.
import { FavorCategory, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { spoken } from "../../lib/tongue";

export const categoryWords = spoken<Record<FavorCategory, string>>({
  [FavorCategory.UNSPECIFIED]: "General",
  [FavorCategory.GENERAL]: "General Help",
  [FavorCategory.ERRANDS]: "Errands",
  [FavorCategory.PHYSICAL_HELP]: "Physical Help",
  [FavorCategory.PET_CARE]: "Pet Care",
});

export const statusWords = spoken<Record<FavorStatus, string>>({
  [FavorStatus.UNSPECIFIED]: "unknown",
  [FavorStatus.DRAFT]: "draft",
  [FavorStatus.ACTIVE]: "active",
  [FavorStatus.ACCEPTED]: "accepted",
  [FavorStatus.COMPLETED]: "completed",
  [FavorStatus.SETTLED]: "settled",
  [FavorStatus.CANCELLED]: "cancelled",
  [FavorStatus.PENDING]: "pending",
  [FavorStatus.DECLINED]: "declined",
  [FavorStatus.OPEN]: "open",
});
