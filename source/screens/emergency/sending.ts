import type {Failure} from '../../failure.ts';
import {emergencyCreate} from '../../firewall/rules/emergency.ts';
import {createCustomRule, type EmergencyCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {EmergencyBefore} from '../../firewall/rules/emergency-draft.ts';
import type {Made, Undone} from '../../firewall/rules/emergency-undo.ts';
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
	const onLook = () => onStep('looking');
	if (way.form === 'custom rule' && way.plan) {
		return customEnding(await createCustomRule(client, zone, way.plan, {signal, onLook}), onWrite);
	}
	const how = {
		signal,
		before,
		onStep: (step: string) => onStep(step === 'looking' ? step : 'rule'),
		onWrite,
	};
	return emergencyCreate(client, zone, draftOf(emergency), how);
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

/** How an undoing ended. */
export function undoEnding(made: Made, done: Undone): Ending {
	switch (done.state) {
		case 'undone':
			return {state: 'undone', made, sentence: done.sentence};
		case 'nothing':
		case 'partly':
			return {state: 'not undone', made, isPartly: done.state === 'partly', failure: done.failure};
		case 'unsure':
			return {
				state: 'undo unsure',
				made,
				failure: done.failure,
				lookAgain: async (client, options) => undoEnding(made, await done.lookAgain(client, options)),
			};
	}
}

/** What sending it does, in a few words: the label of the work, and of a refusal. */
export const describeWrite = ({way}: EmergencyState): string =>
	way.form === 'custom rule' ? 'creating a custom rule' : 'creating a firewall rule';
