import {
	computeFingerprint,
	formatFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import type {ReviewDrift} from '../../migration/flow/drift.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {describeServiceResponses} from '../../migration/machine/resolve-stage.ts';
import {type Observation, stageWords} from '../../migration/machine/stage.ts';
import {stateTable} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {OverrideRestoration} from '../../migration/zone/restore-overrides.ts';
import {quoteShellWord} from '../../service/curl.ts';
import {formatQuantity} from '../../text/figures.ts';

/** Formats on one line what the service reports about a zone. */
export function formatObservation({stage, check, status}: Observation): string {
	if (stage === 'unknown') return `${stageWords.unknown}. ${describeServiceResponses(check, status)}`;
	const {newWaf, oldWaf} = status ?? {};
	const reportedState = status?.state ?? check.state;
	const parts = [
		stageWords[stage],
		...(reportedState === undefined ? [] : [`the service says "${reportedState}"`]),
		...(newWaf === undefined ? [] : [`new ${newWaf}`]),
		...(oldWaf === undefined ? [] : [`previous ${oldWaf}`]),
	];
	return parts.join(' · ');
}

/** Formats "14 rules, fingerprint 7c1e 09ab …", for the confirmation. */
export const formatConfigurationSummary = (configuration: ManagedConfiguration): string =>
	`${formatQuantity(configuration.rules.length, 'rule')}, fingerprint ${formatFingerprint(computeFingerprint(configuration))}${
		hasActiveRuleset(configuration) ? '' : '; it deploys no managed ruleset at all'
	}`;

/** Formats commands under a title, one per line; empty without any. */
export const formatNextCommands = (commands: readonly string[], title = 'Next'): string =>
	commands.length === 0 ? '' : `${title}:\n${commands.map(command => `  ${command}\n`).join('')}`;

/** Converts a zone to the JSON of `--json`. */
export const toZoneJson = ({id, name, plan}: MigrationZone) => ({id, name, plan: plan ?? null});

/** Converts a record to the JSON of `--json`. */
export const toRecordJson = (record: MigrationRecord) => ({
	state: record.state,
	means: stateTable[record.state].meaning,
	goal: record.goal ?? null,
	fingerprint: record.reviewed?.fingerprint ?? null,
	backup: record.backup?.folder ?? null,
	deletedOverrides: record.deletedOverrides ?? [],
	put: record.put ?? null,
	seen: record.seen ?? null,
	report: record.report ?? null,
});

/** Formats how the current rules differ from those reviewed here. */
export function formatDrift(
	{name}: MigrationZone,
	{differences, hasUnsentReview}: ReviewDrift,
): readonly string[] {
	if (differences === undefined) return [`The current rules of ${name} were not reviewed here.`];
	if (differences.length === 0)
		return [
			hasUnsentReview
				? `The rules of ${name} are as before your last review, which was not sent.`
				: `The rules of ${name} match your review.`,
		];
	return [
		`Changed by others since your review (${formatQuantity(differences.length, 'difference')}, ${hasUnsentReview ? 'before' : 'reviewed'} → current):`,
		...differences.map(({about, before, after}) => `  ${about}: ${before} → ${after}`),
	];
}

/** Converts the outcome of restoring an override to the JSON of `--json`. */
export const toRestorationJson = (restoration: OverrideRestoration) => ({
	id: restoration.id,
	state: restoration.state,
	as: 'as' in restoration ? restoration.as : null,
});

/** Describes the outcome of restoring an override. */
export function describeRestoration(restoration: OverrideRestoration): string {
	switch (restoration.state) {
		case 'restored':
			return `Restored override ${restoration.id} as ${restoration.as}.`;
		case 'there already':
			return `Override ${restoration.id} already exists${restoration.as === restoration.id ? '' : `, as ${restoration.as}`}.`;
		case 'there otherwise':
			return `Override ${quoteShellWord(restoration.id)} exists with different content, and was left unchanged.`;
		case 'failed':
			return `Restoring override ${restoration.id} failed: ${restoration.failure.message}`;
		case 'not tried':
			return `Override ${restoration.id} was not tried.`;
		default:
			return restoration satisfies never;
	}
}
