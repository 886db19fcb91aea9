import {Failure} from '../../failure.ts';
import type {RulesetPhase} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import type {WriteRequest} from './curl.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly verdict: VerdictSlice;
	}
}

/** A change of an entry point that the service can check. */
export type CheckableChange = {
	readonly zoneId: string;
	readonly phase: RulesetPhase;
	readonly request: WriteRequest;
};

type VerdictSlice = {
	/** Asks the service whether it would accept a change, without making it. The message says the verdict. */
	ask(change: CheckableChange): void;
};

export const createVerdictSlice: Slice<VerdictSlice> = (_set, get, {session}) => ({
	ask: ({zoneId, phase, request}) =>
		void get().work.run('asking the service', 'read', async signal => {
			const {askServiceAboutChange} = await import('../../rulesets/ask-service.ts');
			const verdict = await askServiceAboutChange(await session.client(), zoneId, phase, request, signal);
			switch (verdict.state) {
				case 'valid':
					return get().messages.say('Valid, checked by the service. Nothing was changed.');
				case 'not checked': {
					const {code, message, details} = verdict.failure;
					throw new Failure(code, `Not checked: ${message}`, details);
				}
				case 'refused':
				case 'changed':
					throw verdict.failure;
			}
		}),
});
