// By which names another member is paid, as their profile has them.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import type { Handles } from "./pay";

export const usePaymentInfo = (uid: string) =>
  useQuery(
    ProfileService.method.getProfile,
    { uid },
    {
      select: ({ profile }): Handles => {
        const { venmoUsername = "", paypalUsername = "" } = profile?.data?.paymentInfo ?? {};
        // Some write the "@" along.
        return { venmo: venmoUsername.replace(/^@/, ""), paypal: paypalUsername.replace(/^@/, "") };
      },
    },
  );
