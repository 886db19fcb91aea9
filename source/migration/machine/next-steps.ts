import {type Advice, Failure, type NamedCommand} from '../../failure.ts';
import {buildAdvice, buildCommand, buildZoneCommand, joinAdviceLines} from '../../text/advice.ts';
import type {MigrationRecord} from '../journal/record.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {describeZoneChange, isValidated} from './observation.ts';
import {describeServiceResponses} from './resolve-stage.ts';
import type {MigrationMode} from './stage.ts';
import {type NextStep, stateTable} from './states.ts';

/** A possible next step: its description, and the words of its `ledge migration` command. */
export type NextAction = {readonly says: string; readonly words: readonly string[]};

export type MigrationProgress = Pick<
	MigrationRecord,
	'state' | 'goal' | 'reviewed' | 'put' | 'seen' | 'backup'
>;

/**
 * Lists the next steps of a zone from the table of states. A PUT uses the mode chosen at the review, and
 * identifies the configuration by its fingerprint. If a review has no mode, it must be repeated.
 */
export function listNextActions(
	zone: Pick<MigrationZone, 'name'>,
	progress: MigrationProgress,
): readonly NextAction[] {
	const {state, goal} = progress;
	if (state === 'reviewed' && goal === undefined) return listNextActions(zone, {state: 'eligible'});
	return stateTable[state].next.map(step => buildNextAction(step, zone, progress));
}

function buildNextAction(
	step: NextStep,
	zone: Pick<MigrationZone, 'name'>,
	progress: MigrationProgress,
): NextAction {
	switch (step) {
		case 'check':
			return {says: 'See what blocks it', words: ['check']};
		case 'plan':
			return {says: 'Review what changes and what is lost', words: ['plan']};
		case 'plan what is in force':
			return {says: 'Review the active rules', words: ['plan']};
		case 'send':
			return buildSendAction(zone, progress, progress.state === 'reviewed' ? progress.goal : 'pending');
		case 'send once ready':
			return progress.goal === 'validation' && !isValidated(progress)
				? buildSendAction(zone, progress, 'validation')
				: {
						...buildSendAction(zone, progress, 'pending'),
						says: `Check the activity log of security events for requests that the new managed rules should not act on. Ready to update? ${actionSentences.pending}`,
					};
		case 'resume':
			return {says: 'Check the outcome of the last PUT', words: ['resume']};
		case 'watch':
			// A migration started elsewhere has no journal to resume.
			return progress.put || progress.reviewed
				? {says: 'Watch it until it completes, then verify and report it', words: ['resume']}
				: {says: 'Watch it until it completes', words: ['status', '--watch']};
		case 'confirm again':
			return {says: 'To send it again, confirm it again', words: ['resume', '--confirm', zone.name]};
		case 'status':
			return {says: 'Check its state', words: ['status']};
		case 'look again later':
			return {says: 'Check again later', words: ['status']};
		case 'take over':
			return {says: 'Continue from the current state, after reviewing it', words: ['resume', '--take-over']};
		case 'report':
			// A report needs a backup of the previous version.
			return progress.backup
				? {says: 'See the result', words: ['report']}
				: {says: 'See the active rules', words: ['export']};
		default:
			return step satisfies never;
	}
}

/** Builds a complete command for a zone, with the active options, that works when pasted. */
export const buildMigrationCommand = (
	zone: Pick<MigrationZone, 'id'>,
	...words: readonly string[]
): NamedCommand => buildCommand('migration', ...words, '--zone-id', zone.id);

/**
 * Returns the next steps as the advice of a failure. `buildActionCommand` builds a complete command from its
 * words.
 */
export const getMigrationAdvice = (
	zone: Pick<MigrationZone, 'name'>,
	progress: MigrationProgress,
	buildActionCommand = (words: readonly string[]): NamedCommand => buildZoneCommand('migration', ...words),
): Advice | undefined =>
	joinAdviceLines(
		...listNextActions(zone, progress).map(
			({says, words}) => buildAdvice`${says}: \`${buildActionCommand(words)}\``,
		),
	);

const commandNames: Readonly<Record<MigrationMode, string>> = {validation: 'validate', pending: 'deploy'};
const actionSentences: Readonly<Record<MigrationMode, string>> = {
	validation: 'Start validation: the new managed rules are applied to live traffic',
	pending: 'Turn off the previous version, which cannot be undone',
};

const buildSendAction = (
	{name}: Pick<MigrationZone, 'name'>,
	{reviewed}: MigrationProgress,
	mode: MigrationMode = 'pending',
): NextAction => ({
	says: actionSentences[mode],
	words: [
		commandNames[mode],
		...(reviewed ? ['--fingerprint', reviewed.fingerprint] : []),
		...['--confirm', name],
	],
});

/**
 * Creates the failure of an action that the zone's state does not allow, with the reason and what to do
 * instead. Nothing was sent.
 */
export function createNotAllowedFailure(
	zone: Pick<MigrationZone, 'name'>,
	progress: MigrationProgress,
	action: string,
): Failure {
	const {state, seen} = progress;
	const {code, meaning} = stateTable[state];
	const why = `The zone's state is "${state}": ${meaning}.`;
	const failure = new Failure(code, `${action} is not possible for ${zone.name} now; nothing was sent.`, {
		why,
		next: getMigrationAdvice(zone, progress),
	});
	switch (state) {
		case 'unknown stage':
			return failure.withDetails({
				why: seen?.stage === 'unknown' ? `${why} ${describeServiceResponses(seen.check, seen.status)}` : why,
				next: "Check the dashboard, and ask the service's support what the state means.",
			});
		case 'moved on':
			return failure.withDetails({why: `${why} ${describeZoneChange(zone.name, progress)}.`});
		case 'validating':
			return failure.withDetails({
				next: 'First confirm that the zone is ready to update: that the previous version may be turned off.',
			});
		default:
			return failure;
	}
}
