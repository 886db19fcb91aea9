import type {GlobalOptions} from './commands/shell/context.ts';
import {toFailure} from './failure.ts';
import {actions} from './screens/actions.ts';
import {createKeyTable} from './screens/key-table.ts';
import {runScreens} from './screens/run.tsx';
import type {KeyTable} from './settings/preferences/key-table.ts';
import {screens} from './store/screens.ts';
import {createOutput} from './terminal/output.ts';

/** What the keys do, for commands that show or check them. */
export const loadKeyTable = (): KeyTable => createKeyTable(actions, screens);

/**
 * Runs ledge full screen. A separate bundle, loaded on a terminal if no command is given. Returns the exit
 * code; failures are already printed.
 */
export async function main(options: GlobalOptions): Promise<number> {
	try {
		await runScreens(options, {
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
		});
		return 0;
	} catch (error) {
		const failure = toFailure(error);
		createOutput({json: false, verbose: false}, process).printFailure(failure);
		return failure.exitCode;
	}
}
