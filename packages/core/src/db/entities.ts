import { AccountSchema } from '../accounts/account.entity.ts';
import { ApiKeySchema } from '../api-keys/api-key.entity.ts';
import { CampaignSchema } from '../campaigns/campaign.entity.ts';
import { MembershipSchema } from '../members/membership.entity.ts';

/** Every entity: what the ORM knows. */
export const ENTITIES = [AccountSchema, ApiKeySchema, CampaignSchema, MembershipSchema];
