import {zonePlanNames} from '../../service/plan.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type MigrationStage, stageWords} from '../machine/stage.ts';
import type {Blocker, Eligibility} from './eligibility.ts';
import type {MigrationZone} from './migration-zone.ts';

/** True if the zone never had the previous version, so that there is nothing to migrate. */
export const hasNoMigration = ({blockers}: Pick<Eligibility, 'blockers'>): boolean =>
	blockers.some(({kind, hinders}) => kind === 'plan' && hinders);

/**
 * True if the user must act before the zone can migrate. False for a zone that has migrated or is migrating.
 */
export const isMigrationBlocked = (eligibility: Eligibility): boolean =>
	!eligibility.eligible &&
	!hasNoMigration(eligibility) &&
	eligibility.stage !== 'pending' &&
	eligibility.stage !== 'complete';

/** Lists the blockers in a few words each, such as "3 URI overrides" or "Free plan". */
export const listBlockerNames = (
	zone: Pick<MigrationZone, 'plan'>,
	{stage, blockers}: Eligibility,
): readonly string[] =>
	blockers.filter(({hinders}) => hinders).map(blocker => formatBlockerName(zone, stage, blocker));

/**
 * Lists unread parts that may block the zone, in a few words each, such as "URI overrides: not allowed to
 * read".
 */
export const listUnreadNames = ({
	unread: {overrides, firewallRules},
}: Pick<Eligibility, 'unread'>): readonly string[] => [
	...(overrides ? [`URI overrides: ${overrides}`] : []),
	...(firewallRules ? [`firewall rules: ${firewallRules}`] : []),
];

function formatBlockerName(
	zone: Pick<MigrationZone, 'plan'>,
	stage: MigrationStage,
	{kind, ids}: Blocker,
): string {
	switch (kind) {
		case 'plan':
			return formatPlanBlocker(zone);
		case 'stage':
			return stageWords[stage];
		case 'incompatible':
			return 'incompatible';
		case 'URI overrides':
			return formatQuantity(ids.length, 'URI override');
		case 'firewall rules':
			return formatQuantity(ids.length, 'firewall rule');
		case 'expression length':
			return ids.length === 1 ? '1 expression too long' : `${ids.length} expressions too long`;
		default:
			return kind satisfies never;
	}
}

/** Formats why a zone has no migration, such as "Free plan". */
export const formatPlanBlocker = ({plan}: Pick<MigrationZone, 'plan'>): string =>
	plan === 'free' ? `${zonePlanNames.free} plan` : 'no migration for this zone';
