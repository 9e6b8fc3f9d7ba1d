// Asks for a favor once more: its words fill the form of a new one.
import { useLocation } from "wouter";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { present } from "../../lib/now";
import { fillForm } from "./CreateForm";
import { cloneOf } from "./form";
import { listPath } from "./paths";

export function useClone(me: string): (favor: Favor) => void {
  const [, navigate] = useLocation();
  async function clone(favor: Favor): Promise<void> {
    if (await fillForm(me, cloneOf(favor, present()))) navigate(listPath({ tab: "create" }));
  }
  return (favor) => void clone(favor);
}
