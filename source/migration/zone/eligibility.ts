import type {Advice, Failure} from '../../failure.ts';
import {maxExpressionLength} from '../../firewall/expression/expressions.ts';
import {isPlanAtLeast} from '../../service/plan.ts';
import {buildAdvice, buildCommand, buildZoneCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {maxFirewallRules} from '../configuration/mapping.ts';
import {describeUnknownStage} from '../machine/resolve-stage.ts';
import type {CompatibilityCheck, MigrationStage, MigrationStatus} from '../machine/stage.ts';
import type {MigrationZone} from './migration-zone.ts';
import {findBypassRules} from './previous-rules.ts';
import type {UnreadReason} from './withheld.ts';

/** What was read of a zone to decide whether it can migrate. Parts that were not read are undefined. */
export type EligibilityFacts = {
	readonly zone: Pick<MigrationZone, 'id' | 'name' | 'plan'>;
	readonly check: CompatibilityCheck;
	readonly stage: MigrationStage;
	readonly status?: MigrationStatus | undefined;
	readonly overrides?: readonly JsonObject[] | undefined;
	readonly firewallRules?: readonly JsonObject[] | undefined;
	/** Why overrides or firewall rules could not be read. */
	readonly unread?: UnreadParts | undefined;
	/** The failure of the check, for a zone that never had the previous managed rules. */
	readonly missingCheckFailure?: Failure | undefined;
};

type UnreadParts = {
	readonly overrides?: UnreadReason | undefined;
	readonly firewallRules?: UnreadReason | undefined;
};

type BlockerKind =
	| 'incompatible'
	| 'URI overrides'
	| 'firewall rules'
	| 'expression length'
	| 'plan'
	| 'stage';

/**
 * A reason why a zone cannot migrate. If `hinders` is false, only a note about something that may not be
 * migrated.
 */
export type Blocker = {
	readonly kind: BlockerKind;
	/** True if nothing can be sent because of it. */
	readonly hinders: boolean;
	readonly sentence: string;
	/** Ids of the overrides or firewall rules. */
	readonly ids: readonly string[];
	readonly next: Advice;
};

export type Eligibility = {
	readonly eligible: boolean;
	readonly stage: MigrationStage;
	readonly blockers: readonly Blocker[];
	/** Parts that could not be read, with the reason; they may block the zone, too. */
	readonly unread: UnreadParts;
	/** Counts of what was read. A count is undefined if its part was not read. */
	readonly counts: {
		readonly overrides: number | undefined;
		/** Firewall rules that bypass the managed rules, including paused ones. */
		readonly firewallRules: number | undefined;
		/** The longest expression of these rules, in bytes. */
		readonly longestExpression: number | undefined;
	};
};

/** Assesses whether a zone can migrate, and lists its blockers. Parts that were not read do not block. */
export function assessEligibility(facts: EligibilityFacts): Eligibility {
	const bypasses = facts.firewallRules && findBypassRules(facts.firewallRules);
	const unreadReasons = getUnreadReasons(facts);
	const expressionSizes = (bypasses ?? []).map(({id, expression = ''}) => ({
		id,
		bytes: Buffer.byteLength(expression),
	}));
	const blockers = [
		...findPlanBlockers(facts),
		...findStageBlockers(facts),
		...(facts.missingCheckFailure || facts.zone.plan === 'free' ? [] : findCompatibilityBlockers(facts)),
		...findRuleCountBlockers(expressionSizes, facts.firewallRules?.length ?? 0),
		...findExpressionBlockers(expressionSizes),
		...findUnreadBlockers(unreadReasons),
	];
	return {
		eligible: !blockers.some(({hinders}) => hinders),
		stage: facts.stage,
		blockers: mergeIncompatibility(blockers, facts.check),
		unread: unreadReasons,
		counts: {
			overrides: facts.overrides?.length,
			firewallRules: bypasses?.length,
			longestExpression: bypasses && Math.max(0, ...expressionSizes.map(({bytes}) => bytes)),
		},
	};
}

function findPlanBlockers({zone, missingCheckFailure}: EligibilityFacts): readonly Blocker[] {
	if (missingCheckFailure || zone.plan === 'free') {
		const isFree = zone.plan === 'free' || missingCheckFailure === undefined;
		return [
			{
				kind: 'plan',
				hinders: true,
				sentence: isFree
					? 'The zone is on the Free plan, which never had the previous managed rules: there is nothing to migrate.'
					: missingCheckFailure.message,
				ids: [],
				next: isFree ? '' : (missingCheckFailure.details.next ?? ''),
			},
		];
	}
	if (zone.plan === undefined)
		return [
			{
				kind: 'plan',
				hinders: false,
				sentence:
					'The plan of the zone could not be read, so it is unknown whether the zone can validate first.',
				ids: [],
				next: 'Validation is Enterprise only; the service rejects it on other plans.',
			},
		];
	return [];
}

function findStageBlockers({stage, status, check}: EligibilityFacts): readonly Blocker[] {
	const buildStageBlockers = (sentence: string, next: Advice): readonly Blocker[] => [
		{kind: 'stage', hinders: true, sentence, ids: [], next},
	];
	switch (stage) {
		case 'previous':
		case 'validation':
			return [];
		case 'pending':
			return buildStageBlockers(
				'The previous version is being turned off: the migration is in progress.',
				buildAdvice`Watch it: \`${buildZoneCommand('migration status --watch')}\`.`,
			);
		case 'complete':
			return buildStageBlockers(
				'The zone has only the new version: its migration is complete and cannot be undone.',
				'Change its managed rules with the Rulesets API.',
			);
		case 'unknown':
			return buildStageBlockers(
				describeUnknownStage(check, status),
				'Check the zone in the dashboard. ledge writes nothing to it.',
			);
		default:
			return stage satisfies never;
	}
}

function findCompatibilityBlockers({check, stage, overrides = []}: EligibilityFacts): readonly Blocker[] {
	if (stage !== 'previous' && stage !== 'validation') return [];
	const ids = overrides.flatMap(({id}) => (typeof id === 'string' ? [id] : []));
	const blockers: Blocker[] = [];
	const {unanswered: unansweredReason} = check;
	// In validation the check has passed before; a missing response does not block then.
	const incompatibilityBlocks = !check.compatible && (unansweredReason === undefined || stage === 'previous');
	if (!check.compatible)
		blockers.push({
			kind: 'incompatible',
			hinders: incompatibilityBlocks,
			sentence: describeIncompatibility(check, stage),
			ids: [],
			next:
				overrides.length > 0
					? 'Delete its URI-based overrides, then check again.'
					: unansweredReason !== undefined
						? buildAdvice`Check the permissions of the credential: \`${buildCommand('whoami')}\`.`
						: stage === 'validation'
							? 'Finish the migration in the dashboard, or contact support.'
							: 'ledge found no reason for this. Check the zone in the dashboard, or contact support.',
		});
	if (overrides.length > 0)
		blockers.push({
			kind: 'URI overrides',
			hinders: stage === 'previous' || incompatibilityBlocks,
			sentence: `The zone has ${formatQuantity(overrides.length, 'URI-based override')}, which cannot be migrated.`,
			ids,
			next: 'Delete them (ledge makes a backup first), then recreate these settings manually.',
		});
	return blockers;
}

function describeIncompatibility(
	{unanswered: unansweredReason}: CompatibilityCheck,
	stage: MigrationStage,
): string {
	if (unansweredReason !== undefined)
		return `Could not check whether the zone is eligible: ${unansweredReason}`;
	return stage === 'validation'
		? 'The zone is in validation, and the service reports that it is not eligible, so ledge sends nothing.'
		: 'The service reports that the zone is not eligible.';
}

/** Returns why parts could not be read. Excludes parts that the zone cannot have. */
function getUnreadReasons({
	zone,
	stage,
	missingCheckFailure,
	overrides,
	firewallRules,
	unread,
}: EligibilityFacts): UnreadParts {
	if (missingCheckFailure || zone.plan === 'free' || (stage !== 'previous' && stage !== 'validation'))
		return {};
	const mayHaveOverrides = zone.plan === undefined || isPlanAtLeast(zone.plan, 'enterprise');
	return {
		...(overrides === undefined && mayHaveOverrides && {overrides: unread?.overrides ?? 'could not be read'}),
		...(firewallRules === undefined && {firewallRules: unread?.firewallRules ?? 'could not be read'}),
	};
}

/** Reports parts that could not be read, because they may block the zone. */
function findUnreadBlockers({overrides, firewallRules}: UnreadParts): readonly Blocker[] {
	const buildUnreadBlockers = (
		kind: BlockerKind,
		reason: UnreadReason | undefined,
		partName: string,
		consequence: string,
	): Blocker[] =>
		reason === undefined
			? []
			: [
					{
						kind,
						hinders: false,
						sentence:
							reason === 'not allowed to read'
								? `Not allowed to read the ${partName}: ${consequence}.`
								: `The ${partName} could not be read: ${consequence}.`,
						ids: [],
						next: buildAdvice`Check the permissions of the credential: \`${buildCommand('whoami')}\`.`,
					},
				];
	return [
		...buildUnreadBlockers(
			'URI overrides',
			overrides,
			'URI-based overrides',
			'there may be some, which block the migration',
		),
		...buildUnreadBlockers(
			'firewall rules',
			firewallRules,
			'firewall rules',
			'too many rules, or overly long ones, block the migration',
		),
	];
}

/** Appends the service's verdict "not eligible" to the first blocker that may be its cause. */
function mergeIncompatibility(
	blockers: readonly Blocker[],
	{unanswered: unansweredReason}: CompatibilityCheck,
): readonly Blocker[] {
	if (unansweredReason !== undefined) return blockers;
	const isCause = ({kind, hinders}: Blocker) => hinders && causeKinds.has(kind);
	const cause = blockers.find(isCause);
	const incompatibility = blockers.find(({kind}) => kind === 'incompatible');
	if (!cause || !incompatibility) return blockers;
	return blockers
		.filter(one => one !== incompatibility)
		.map(one => (one === cause ? {...one, sentence: `${one.sentence} ${incompatibility.sentence}`} : one));
}

const causeKinds: ReadonlySet<BlockerKind> = new Set([
	'URI overrides',
	'firewall rules',
	'expression length',
]);

type ExpressionSize = {readonly id: string; readonly bytes: number};

function findRuleCountBlockers(
	rules: readonly ExpressionSize[],
	firewallRuleCount: number,
): readonly Blocker[] {
	if (rules.length <= maxFirewallRules) return [];
	return [
		{
			kind: 'firewall rules',
			hinders: true,
			sentence: `${rules.length} firewall rules bypass the managed rules, including paused ones; at most ${maxFirewallRules} can be migrated.`,
			ids: rules.map(({id}) => id),
			next: `Contact support, or merge or delete ${formatQuantity(rules.length - maxFirewallRules, 'rule')}.${firewallRuleCount > rules.length ? ' Firewall rules with other actions do not count.' : ''}`,
		},
	];
}

function findExpressionBlockers(rules: readonly ExpressionSize[]): readonly Blocker[] {
	const longRules = rules.filter(({bytes}) => bytes > maxExpressionLength);
	if (longRules.length === 0) return [];
	const figures = longRules.map(({id, bytes}) => `${id} (${bytes} bytes)`).join(', ');
	return [
		{
			kind: 'expression length',
			hinders: true,
			sentence: `An expression over ${maxExpressionLength} bytes cannot be migrated: firewall rule ${figures}.`,
			ids: longRules.map(({id}) => id),
			next: 'Contact support, or shorten the expression, for example with a list or by splitting the rule in two.',
		},
	];
}
