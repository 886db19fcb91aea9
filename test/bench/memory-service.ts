// The simulated service in a process of its own, without its quota, on the world of the file that is named. Prints its URL.
import {createSimulator, startListener} from '../../source/simulator/simulator.ts';

const [state] = process.argv.slice(2);
if (!state) throw new Error('The file of its world is missing.');
const simulator = createSimulator({state, samples: false, rateLimit: false});
const server = await startListener(simulator, {port: 0});
process.stdout.write(`${server.url}\n`);
process.on('SIGTERM', async () => {
	await server.close();
	simulator.close();
	process.exit(0);
});
