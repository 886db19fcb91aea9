import {quoted} from '../service/curl.ts';
import type {MigrationRecord} from './record.ts';
import type {MigrationZone} from './snapshot.ts';
import type {Mode} from './stage.ts';
import {isValidated} from './validated.ts';

/** What can be done next, for a person, and the words of the command of `ledge migration` that does it. */
export type Onward = {readonly says: string; readonly words: readonly string[]};

export type Standing = Pick<MigrationRecord, 'state' | 'goal' | 'reviewed' | 'put' | 'seen'>;

/**
 * What comes next where a zone stands: the one place that says so. A PUT takes the path that was chosen at the review,
 * and what is sent is named by its fingerprint.
 */
export function onward(zone: Pick<MigrationZone, 'name'>, standing: Standing): readonly Onward[] {
	const {state, goal} = standing;
	switch (state) {
		case 'blocked':
			return [{says: 'See what hinders it', words: ['check']}];
		case 'unread':
		case 'eligible':
			return [{says: 'See what changes and what is lost, and review it', words: ['plan']}];
		case 'validating unreviewed':
			return [{says: 'See what is in force, and review it', words: ['plan']}];
		case 'reviewed':
			return goal === undefined ? onward(zone, {state: 'eligible'}) : [sending(zone, standing, goal)];
		case 'validating':
			return goal === 'validation' && !isValidated(standing)
				? [sending(zone, standing, 'validation')]
				: [
						{
							...sending(zone, standing, 'pending'),
							says: `Look at the activity log of the security events: what the new managed rules act on, and should not. Ready to update? ${doing.pending}`,
						},
					];
		case 'ready to update':
			return [sending(zone, standing, 'pending')];
		case 'sending validation':
		case 'sending deploy':
		case 'validation in doubt':
		case 'deploy in doubt':
			return [{says: 'Look for what became of the last PUT', words: ['resume']}];
		case 'starting validation':
		case 'finishing':
			return [{says: 'Watch it to its end, and have it verified and reported', words: ['resume']}];
		case 'not taken':
			return [{says: 'To send it again, confirm it anew', words: ['resume', '--confirm', zone.name]}];
		case 'moved on':
			return [
				{says: 'See how it stands', words: ['status']},
				{says: 'Go on from there, once you have seen it', words: ['resume', '--take-over']},
			];
		case 'complete':
			return [{says: 'See what it came to', words: ['report']}];
		case 'unknown stage':
			return [{says: 'Look again later', words: ['status']}];
		default:
			return state satisfies never;
	}
}

/** A whole command for a zone, as it works when pasted where the options lead that are in force. */
export const migrationCommand = (zone: Pick<MigrationZone, 'id'>, ...words: readonly string[]): string =>
	['ledge', 'migration', ...words, '--zone-id', zone.id].map(quoted).join(' ');

/** The same as the advice of a failure; `command` makes a whole command of its words. */
export const onwardAdvice = (
	zone: Pick<MigrationZone, 'name'>,
	standing: Standing,
	command = (words: readonly string[]): string => ['ledge', 'migration', ...words].map(quoted).join(' '),
): string =>
	onward(zone, standing)
		.map(({says, words}) => `${says}: \`${command(words)}\``)
		.join('\n');

const words: Readonly<Record<Mode, string>> = {validation: 'validate', pending: 'deploy'};
const doing: Readonly<Record<Mode, string>> = {
	validation: 'Begin validation: the new managed rules are put before the live traffic',
	pending: 'Turn the previous version off, which cannot be undone',
};

const sending = ({name}: Pick<MigrationZone, 'name'>, {reviewed}: Standing, mode: Mode): Onward => ({
	says: doing[mode],
	words: [words[mode], ...(reviewed ? ['--fingerprint', reviewed.fingerprint] : []), ...['--confirm', name]],
});
