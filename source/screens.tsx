import type {GlobalOptions} from './commands/shell/context.ts';
import {type Failure, toFailure} from './failure.ts';
import {actions} from './screens/actions.ts';
import {createKeyTable} from './screens/key-table.ts';
import {createPickerActions, startPicker} from './screens/picker.ts';
import {openLastPlace} from './screens/places/actions.ts';
import {runScreens, type ScreenOptions} from './screens/run.tsx';
import type {App} from './screens/shell/app.ts';
import type {KeyTable} from './settings/preferences/key-table.ts';
import {screens} from './store/screens.ts';
import type {ControllingTerminal} from './terminal/controlling-terminal.ts';
import {createOutput} from './terminal/output.ts';

/** What the keys do, for commands that show or check them. */
export const loadKeyTable = (): KeyTable => createKeyTable(actions, screens);

const screenParts = {
	env: process.env,
	cwd: process.cwd,
	async startSimulated(given) {
		const {startSimulatedService} = await import('./commands/shell/simulated-service.ts');
		return startSimulatedService(given);
	},
	async startRehearsal(snapshot) {
		const {startRehearsalService} = await import('./commands/shell/rehearsal-service.ts');
		return startRehearsalService(snapshot);
	},
} satisfies Parameters<typeof runScreens>[1];

/**
 * Shows the keys of a namespace, or first the namespaces, on a terminal. Returns the names of the chosen keys;
 * none if the user leaves. Fails with `namespace_not_found` and what listing namespaces fails with.
 */
export async function pickKeys(
	options: GlobalOptions,
	namespaceName: string | undefined,
	terminal: ControllingTerminal,
): Promise<readonly string[]> {
	let pickedNames: readonly string[] = [];
	let pickFailure: Failure | undefined;
	let app: App | undefined;
	await runScreens(options, {
		...screenParts,
		stdin: terminal.stdin,
		stdout: terminal.stdout,
		adaptActions: createPickerActions(names => {
			pickedNames = names;
			app?.terminal.quit();
		}),
		onOpen(opened) {
			app = opened;
			void startPicker(opened, namespaceName, failure => {
				pickFailure = failure;
				opened.terminal.quit();
			});
		},
	});
	if (pickFailure) throw pickFailure;
	return pickedNames;
}

/**
 * Runs ledge full screen. A separate bundle, loaded on a terminal if no command is given. Returns the exit
 * code; failures are already printed.
 */
export async function main(options: GlobalOptions & ScreenOptions): Promise<number> {
	try {
		await runScreens(options, options.last ? {...screenParts, onOpen: openLastPlace} : screenParts);
		return 0;
	} catch (error) {
		const failure = toFailure(error);
		createOutput({json: false, verbose: false}, process).printFailure(failure);
		return failure.exitCode;
	}
}
