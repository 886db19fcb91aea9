import {Failure} from '../../failure.ts';
import type {Call} from '../../service/call.ts';
import type {Client} from '../../service/client.ts';
import {createRealClock} from '../../service/clock.ts';
import {emptyEnvelope} from '../../service/envelope.ts';
import {fullQuota} from '../../service/limiter.ts';
import {openRemoteStore} from '../remote-store.ts';
import {type Proposal, writeProposal} from './proposal.ts';
import type {WholeKey} from './whole-key.ts';

/**
 * Returns the call that `writeProposal` will make, to show it beforehand. The store itself builds it; nothing
 * is sent.
 */
export async function captureWriteRequest(
	{account, namespace}: {readonly account: string; readonly namespace: string},
	proposal: Proposal,
	stored: WholeKey | undefined,
	signal: AbortSignal,
): Promise<Call> {
	const calls: Call[] = [];
	const client: Client = {
		baseUrl: '',
		concurrency: 1,
		clock: createRealClock(),
		dryRun: true,
		quota: () => fullQuota,
		async call(call) {
			calls.push(call);
			return emptyEnvelope;
		},
		read: () => Promise.reject(new Failure('internal', 'A write was about to read.')),
		query: () => Promise.reject(new Failure('internal', 'A write was about to ask for numbers.')),
	};
	using store = openRemoteStore({client, account, namespace, label: '', isSimulated: false});
	await writeProposal(store, proposal, stored, signal);
	const [call] = calls;
	if (!call) throw new Failure('internal', 'A write made no request.');
	return call;
}
