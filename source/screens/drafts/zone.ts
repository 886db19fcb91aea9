import {parsePlan} from '../../service/plan.ts';
import type {Draft} from '../../state/drafts.ts';
import type {JsonObject} from '../../text/json.ts';
import type {OpenedZone} from '../firewall/state.ts';

/** Builds what a draft keeps of its zone; the zone's id and account are the draft's target. */
export const buildZoneFields = ({plan, account}: OpenedZone): JsonObject => ({
	...(plan !== undefined && {plan}),
	...(account !== undefined && {account}),
});

/** Returns the zone of a draft; the draft's label is the zone's name. */
export function getDraftZone({target, label: name, fields}: Draft): OpenedZone | undefined {
	if (target.zone === undefined) return undefined;
	const account = typeof fields.account === 'string' ? fields.account : undefined;
	return {
		id: target.zone,
		name,
		plan: typeof fields.plan === 'string' ? parsePlan(fields.plan) : undefined,
		label: `${account === undefined ? '' : `${account} › `}zone ${name}`,
		account,
		accountId: target.account,
	};
}
