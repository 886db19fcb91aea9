import {parsePlan} from '../../service/plan.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {Session} from '../../session/session.ts';
import type {Draft} from '../../state/drafts.ts';
import type {JsonObject} from '../../text/json.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/**
 * Builds the fields that a draft keeps about its zone. The draft's target has the zone's id and account id.
 */
export const buildZoneFields = ({plan, account}: ZoneWithLabel): JsonObject => ({
	...(plan !== undefined && {plan}),
	...(account !== undefined && {account}),
});

/** Returns the zone of a draft for this session. The draft's label is the name of the zone. */
export function getDraftZone(
	{target, label: name, fields}: Draft,
	{options}: Pick<Session, 'options'>,
): ZoneWithLabel | undefined {
	if (target.zone === undefined) return undefined;
	const account = typeof fields.account === 'string' ? fields.account : undefined;
	return {
		id: target.zone,
		name,
		plan: typeof fields.plan === 'string' ? parsePlan(fields.plan) : undefined,
		label: `${account === undefined ? '' : `${account} › `}zone ${name}`,
		account,
		accountId: target.account,
		sessionOptions: formatSessionOptions(options),
	};
}
