import type {GlobalOptions} from './commands/shell/context.ts';
import {asFailure} from './failure.ts';
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
				const {simulatedService} = await import('./commands/shell/simulated-service.ts');
				return simulatedService(given);
			},
			async startRehearsal(snapshot) {
				const {rehearsalService} = await import('./commands/shell/rehearsal-service.ts');
				return rehearsalService(snapshot);
			},
		});
		return 0;
	} catch (error) {
		const failure = asFailure(error);
		createOutput({json: false, verbose: false}, process).fail(failure);
		return failure.exit;
	}
}
