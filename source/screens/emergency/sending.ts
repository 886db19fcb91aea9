import type {Failure} from '../../failure.ts';
import {type EmergencyBefore, emergencyCreate} from '../../firewall/rules/emergency.ts';
import {createCustomRule, type EmergencyCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {Client} from '../../service/client.ts';
import {draftOf, type EmergencyState, type Ending} from './state.ts';

/** What became of it; `gone` leads on to the custom rule. */
export type Sent = Ending | {readonly state: 'gone'; readonly failure: Failure};

/** Sends what the screen showed, once. Never fails: it reports the current state. */
export async function sent(
	client: Client,
	emergency: EmergencyState,
	{
		signal,
		before,
		onStep,
		onWrite,
	}: {
		readonly signal: AbortSignal;
		/** What existed before, where that could be read. */
		readonly before: EmergencyBefore | undefined;
		onStep(doing: 'rule' | 'looking'): void;
		/** A write that took effect, for the audit log. */
		onWrite(done: string): void;
	},
): Promise<Sent> {
	const {way, zone} = emergency;
	if (way.form === 'custom rule' && way.plan) {
		const onLook = () => onStep('looking');
		return customEnding(await createCustomRule(client, zone, way.plan, {signal, onLook}), onWrite);
	}
	return emergencyCreate(client, zone, draftOf(emergency), {
		signal,
		before,
		onStep: step => onStep(step === 'looking' ? step : 'rule'),
		onWrite,
	});
}

function customEnding(done: EmergencyCustomRule, onWrite: ((done: string) => void) | undefined): Ending {
	switch (done.state) {
		case 'created': {
			const {already, afterDoubt, rule} = done;
			const found = afterDoubt ? ' (the answer was lost; found there)' : '';
			if (!already) onWrite?.(`create custom rule ${rule.id ?? '(of unknown id)'}${found}`);
			return {...done, custom: true};
		}
		case 'nothing':
			return done;
		case 'unsure':
			return {
				...done,
				lookAgain: async (client, options) =>
					customEnding(await done.lookAgain(client, options), options.onWrite),
			};
	}
}
