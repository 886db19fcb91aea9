// `npm run test:interop`: the built ledge and the real wrangler on the same data, and wrangler and the vendor's SDK at the simulated service.
import {existsSync} from 'node:fs';
import {Checks} from './checks.ts';
import {checkDevServer, createBothPrograms} from './dev-server.ts';
import {checkLocalData} from './local-data.ts';
import {createInteropFolder, installPeer} from './peer.ts';
import {stopAll} from './process.ts';
import {builtLedge} from './programs.ts';
import {checkScreens} from './screens.ts';
import {checkSdk} from './sdk.ts';
import {checkSignIn} from './sign-in.ts';
import {checkSimulatedService} from './simulated-service.ts';

if (!existsSync(builtLedge)) throw new Error(`${builtLedge} is not there: npm run build`);
const checks = new Checks();
const {folder, remove} = createInteropFolder();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => {
		stopAll();
		remove();
		process.exit(130);
	});
try {
	const peer = await installPeer();
	const {wrangler, ledge} = createBothPrograms(peer, builtLedge, folder);
	await checkLocalData(checks, wrangler, ledge, folder);
	await checkScreens(checks, wrangler, folder);
	await checkDevServer(checks, peer, wrangler, ledge, folder);
	await checkSimulatedService(checks, wrangler, folder);
	await checkSdk(checks, folder);
	await checkSignIn(checks, peer, folder);
} finally {
	stopAll();
	remove();
}
process.exitCode = checks.printSummary();
