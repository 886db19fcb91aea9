import type {GlobalOptions} from './commands/shell/context.ts';
import {toFailure} from './failure.ts';
import {runScreens} from './screens/run.tsx';
import {createOutput} from './terminal/output.ts';

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
