import {
	type Configuration,
	deploysAnything,
	fingerprint,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import type {ReviewDrift} from '../../migration/flow/drift.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {type Observation, stageWords} from '../../migration/machine/stage.ts';
import {answersInWords} from '../../migration/machine/stage-of.ts';
import {stateTable} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {counted} from '../../text/figures.ts';

/** What the service reports of a zone, in one line. */
export function seenWords({stage, check, status}: Observation): string {
	if (stage === 'unknown') return `${stageWords.unknown}. ${answersInWords(check, status)}`;
	const {newWaf, oldWaf} = status ?? {};
	const said = status?.state ?? check.state;
	const parts = [
		stageWords[stage],
		...(said === undefined ? [] : [`the service says "${said}"`]),
		...(newWaf === undefined ? [] : [`new ${newWaf}`]),
		...(oldWaf === undefined ? [] : [`previous ${oldWaf}`]),
	];
	return parts.join(' · ');
}

/** "14 rules, fingerprint 7c1e 09ab …", as it is shown before it goes out. */
export const configurationWords = (configuration: Configuration): string =>
	`${counted(configuration.rules.length, 'rule')}, fingerprint ${shownFingerprint(fingerprint(configuration))}${
		deploysAnything(configuration) ? '' : '; it deploys no managed ruleset at all'
	}`;

/** Commands, a line each under a title; nothing where there are none. */
export const onwardLines = (commands: readonly string[], title = 'Next'): string =>
	commands.length === 0 ? '' : `${title}:\n${commands.map(command => `  ${command}\n`).join('')}`;

/** A zone as `--json` names it. */
export const zoneJson = ({id, name, plan}: MigrationZone) => ({id, name, plan: plan ?? null});

/** A record as `--json` prints it. */
export const recordJson = (record: MigrationRecord) => ({
	state: record.state,
	means: stateTable[record.state].means,
	goal: record.goal ?? null,
	fingerprint: record.reviewed?.fingerprint ?? null,
	backup: record.backup?.folder ?? null,
	deletedOverrides: record.deletedOverrides ?? [],
	put: record.put ?? null,
	seen: record.seen ?? null,
	report: record.report ?? null,
});

/** How the current rules differ from those reviewed here, line by line. */
export function driftLines({name}: MigrationZone, {differences}: ReviewDrift): readonly string[] {
	if (differences === undefined) return [`The current rules of ${name} were not reviewed here.`];
	if (differences.length === 0) return [`The rules of ${name} are as you reviewed them.`];
	return [
		`Changed by others since your review (${counted(differences.length, 'difference')}, reviewed → current):`,
		...differences.map(({about, before, after}) => `  ${about}: ${before} → ${after}`),
	];
}
