import {type Advice, Failure, type NamedCommand} from '../../failure.ts';
import {advice, adviceLines, inZone, ledge} from '../../text/advice.ts';
import type {MigrationRecord} from '../journal/record.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {isValidated, movedOnInWords} from './observation.ts';
import type {Mode} from './stage.ts';
import {answersInWords} from './stage-of.ts';
import {type NextStep, stateTable} from './states.ts';

/** A possible next step: its description, and the words of its `ledge migration` command. */
export type Onward = {readonly says: string; readonly words: readonly string[]};

export type Standing = Pick<MigrationRecord, 'state' | 'goal' | 'reviewed' | 'put' | 'seen' | 'backup'>;

/**
 * Lists the next steps of a zone from the table of states. A PUT uses the mode chosen at the review and names
 * the configuration by its fingerprint. A review without a mode must be repeated.
 */
export function onward(zone: Pick<MigrationZone, 'name'>, standing: Standing): readonly Onward[] {
	const {state, goal} = standing;
	if (state === 'reviewed' && goal === undefined) return onward(zone, {state: 'eligible'});
	return stateTable[state].next.map(step => nextStep(step, zone, standing));
}

function nextStep(step: NextStep, zone: Pick<MigrationZone, 'name'>, standing: Standing): Onward {
	switch (step) {
		case 'check':
			return {says: 'See what blocks it', words: ['check']};
		case 'plan':
			return {says: 'See what changes and what is lost, and review it', words: ['plan']};
		case 'plan what is in force':
			return {says: 'See what is in force, and review it', words: ['plan']};
		case 'send':
			return sending(zone, standing, standing.state === 'reviewed' ? standing.goal : 'pending');
		case 'send once ready':
			return standing.goal === 'validation' && !isValidated(standing)
				? sending(zone, standing, 'validation')
				: {
						...sending(zone, standing, 'pending'),
						says: `Look at the activity log of the security events: what the new managed rules act on, and should not. Ready to update? ${doing.pending}`,
					};
		case 'resume':
			return {says: 'Look for what became of the last PUT', words: ['resume']};
		case 'watch':
			// A migration started elsewhere has no journal to resume.
			return standing.put || standing.reviewed
				? {says: 'Watch it to its end, and have it verified and reported', words: ['resume']}
				: {says: 'Watch it to its end', words: ['status', '--watch']};
		case 'confirm again':
			return {says: 'To send it again, confirm it again', words: ['resume', '--confirm', zone.name]};
		case 'status':
			return {says: 'See how it stands', words: ['status']};
		case 'look again later':
			return {says: 'Look again later', words: ['status']};
		case 'take over':
			return {says: 'Continue from there, once you have seen it', words: ['resume', '--take-over']};
		case 'report':
			// A report needs a backup of the previous version.
			return standing.backup
				? {says: 'See what it came to', words: ['report']}
				: {says: 'See what is in force', words: ['export']};
		default:
			return step satisfies never;
	}
}

/** Builds a whole command for a zone that works when pasted: includes the active options. */
export const migrationCommand = (
	zone: Pick<MigrationZone, 'id'>,
	...words: readonly string[]
): NamedCommand => ledge('migration', ...words, '--zone-id', zone.id);

/** Returns the next steps as the advice of a failure. `command` builds a whole command from its words. */
export const onwardAdvice = (
	zone: Pick<MigrationZone, 'name'>,
	standing: Standing,
	command = (words: readonly string[]): NamedCommand => inZone('migration', ...words),
): Advice | undefined =>
	adviceLines(...onward(zone, standing).map(({says, words}) => advice`${says}: \`${command(words)}\``));

const words: Readonly<Record<Mode, string>> = {validation: 'validate', pending: 'deploy'};
const doing: Readonly<Record<Mode, string>> = {
	validation: 'Begin validation: the new managed rules are put before the live traffic',
	pending: 'Turn the previous version off, which cannot be undone',
};

const sending = (
	{name}: Pick<MigrationZone, 'name'>,
	{reviewed}: Standing,
	mode: Mode = 'pending',
): Onward => ({
	says: doing[mode],
	words: [words[mode], ...(reviewed ? ['--fingerprint', reviewed.fingerprint] : []), ...['--confirm', name]],
});

/**
 * Creates the failure of an action that the zone's state does not allow: why, and what to do instead. Nothing
 * was sent.
 */
export function cannotNow(zone: Pick<MigrationZone, 'name'>, standing: Standing, what: string): Failure {
	const {state, seen} = standing;
	const {code, means} = stateTable[state];
	const why = `The zone's state is "${state}": ${means}.`;
	const failure = new Failure(code, `${what} cannot be done now for ${zone.name}; nothing was sent.`, {
		why,
		next: onwardAdvice(zone, standing),
	});
	switch (state) {
		case 'unknown stage':
			return failure.with({
				why: seen?.stage === 'unknown' ? `${why} ${answersInWords(seen.check, seen.status)}` : why,
				next: 'Look in the dashboard, and ask the support of the service what the state means.',
			});
		case 'moved on':
			return failure.with({why: `${why} ${movedOnInWords(zone.name, standing)}.`});
		case 'validating':
			return failure.with({
				next: 'First confirm that the zone is ready to update: that the previous version may be turned off.',
			});
		default:
			return failure;
	}
}
