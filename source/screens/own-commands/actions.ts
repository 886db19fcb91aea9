import {toFailure} from '../../failure.ts';
import {parseCommandArguments} from '../../settings/preferences/placeholders.ts';
import type {KeySetting, OwnCommand, PreferenceProblem} from '../../settings/preferences/preferences.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {defineGlobalAction} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {waitForInputEnd} from '../shell/ask-about-production.ts';
import {listScreens, ownCommandsGroup, type Screens} from '../shell/screen.ts';
import {formatScreenName, type Screen} from '../shell/screen-name.ts';
import {getCurrentZone} from '../zones/zone-area.ts';
import {
	type ArgumentValues,
	findArgumentProblem,
	findMissingPlaceholder,
	formatCommandLine,
	getCommandBlockedReason,
	getCommandSubject,
} from './subject.ts';

type OwnCommandActions = {
	/** Without keys: `settings` has them, so that they are checked like other keys of the file. */
	readonly actions: readonly Action[];
	readonly settings: readonly KeySetting[];
	readonly problems: readonly PreferenceProblem[];
};

/** Builds the actions of the user's own commands. A command on an unknown screen is a mistake. */
export function buildOwnCommandActions(commands: readonly OwnCommand[], screens: Screens): OwnCommandActions {
	const actions: Action[] = [];
	const settings: KeySetting[] = [];
	const problems: PreferenceProblem[] = [];
	for (const command of commands) {
		const {title, keys, line, column} = command;
		const where = findScreens(command, screens);
		if ('problem' in where) {
			problems.push({line, column, text: `${where.problem} This command is ignored.`});
			continue;
		}
		const id = `command "${title}"`;
		actions.push(createOwnCommandAction(id, command, where.where));
		if (keys.length > 0) settings.push({id, keys, line, column});
	}
	return {actions: actions.length > 0 ? [...actions, stopCommands] : [], settings, problems};
}

/** Lists the screens that a command can have, by their names in the file. Where text is typed, keys are text. */
export const listCommandScreens = (screens: Screens): ReadonlyMap<string, Screen> =>
	new Map(
		listScreens(screens).flatMap(([screen, {textInput}]) =>
			textInput ? [] : [[formatScreenName(screen), screen] as const],
		),
	);

/** Finds the screens of a command, or returns what is wrong with them. */
function findScreens(
	command: OwnCommand,
	screens: Screens,
): {readonly where: Action['where']} | {readonly problem: string} {
	const {screens: names} = command;
	if (!names) return {where: 'everywhere'};
	const byName = listCommandScreens(screens);
	const where: Screen[] = [];
	for (const name of names) {
		const screen = byName.get(formatScreenName(name));
		if (screen === undefined) {
			const suggestion = formatDidYouMean(name, [...byName.keys()]).trimEnd();
			const help = suggestion || `There is: ${formatNameList([...byName.keys()])}.`;
			return {problem: `there is no screen "${name}". ${help}`};
		}
		const missing = findMissingPlaceholder(command, screen);
		if (missing) return {problem: `the screen "${name}" has no value for {${missing}}.`};
		where.push(screen);
	}
	return where.length > 0 ? {where} : {problem: '"screens" must name a screen.'};
}

function createOwnCommandAction(id: string, command: OwnCommand, where: Action['where']): Action {
	const {title, hint, output, isReadOnly} = command;
	return {
		id,
		group: ownCommandsGroup,
		where,
		keys: [],
		title,
		...(hint !== undefined && {hint, getHintPlace: () => 'first'}),
		...(output === 'value' ? {effect: 'prepares a write'} : isReadOnly ? {} : {effect: 'writes'}),
		getUnavailableReason: state => getCommandBlockedReason(command, state, getCurrentZone(state)),
		run(app) {
			const state = app.state();
			const subject = getCommandSubject(command, state, getCurrentZone(state));
			askForArguments(app, command, {subject, answers: new Map()});
		},
	};
}

const stopCommands = defineGlobalAction('command.stop', ['ctrl-x'], 'stop your running commands', {
	group: ownCommandsGroup,
	paletteMode: 'in place',
	isActive: ({ownCommands}) => ownCommands.running.length > 0,
	run: ({state}) => state().ownCommands.stop(),
});

/** Asks for each missing answer in the order of the arguments, then whether to run the command. */
function askForArguments(app: App, command: OwnCommand, values: ArgumentValues): void {
	const commandArguments = parseCommandArguments(command.command);
	const index = commandArguments.findIndex(one => one.kind === 'prompt' && !values.answers.has(one.name));
	const argument = commandArguments[index];
	if (argument?.kind !== 'prompt') {
		confirmCommand(app, command, values);
		return;
	}
	const {name} = argument;
	app.state().dialog.openField({
		title: command.title,
		lines: [name],
		value: '',
		actionLabel: 'next',
		check: text => findArgumentProblem(command, index, text),
		submit: text =>
			askForArguments(app, command, {...values, answers: new Map([...values.answers, [name, text]])}),
	});
}

function confirmCommand(app: App, command: OwnCommand, values: ArgumentValues): void {
	const {state, store, terminal} = app;
	const {title, confirm} = command;
	const start = () =>
		void state().ownCommands.start(command, values, {
			handOver: terminal.handOver,
			waitForInput: () => waitForInputEnd(store),
		});
	try {
		const line = formatCommandLine(command, values);
		const question = confirm === true ? `Run "${title}"?` : confirm;
		if (question === false) start();
		else
			state().dialog.open({
				kind: 'confirm',
				title: question,
				lines: [line],
				actionLabel: 'run it',
				confirm: start,
			});
	} catch (error) {
		state().messages.fail(toFailure(error));
	}
}
