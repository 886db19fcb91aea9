import type {ScreenDefinition} from '../shell/screen.ts';
import {expressionKeys} from '../shell/text-keys.ts';
import {emergencyLeavingLines} from './leaving.ts';
import {isEmergencyTyping} from './state.ts';

export const emergencyScreen: ScreenDefinition = {
	group: 'Emergency',
	called: 'the emergency',
	path: (before, {emergency}) => [
		...(emergency ? ['ledge', 'firewall', emergency.zone.name] : before),
		'emergency',
	],
	actsOn: (before, {emergency}) => (emergency ? {isLocal: false, plan: emergency.zone.plan} : before),
	text: {
		isTyping: ({emergency}) => emergency !== undefined && isEmergencyTyping(emergency),
		type: (state, key) => state.typeInEmergency(key),
		keys: () => expressionKeys,
	},
	openForm: ({emergency, isEmergencyTouched}) =>
		emergency && isEmergencyTouched() ? `emergency for ${emergency.zone.name}` : undefined,
	unsaved: ({emergency, isEmergencyTouched}) =>
		emergency && (emergency.phase.name === 'sending' || isEmergencyTouched())
			? {lines: emergencyLeavingLines(emergency), isDraft: true}
			: undefined,
	isSending: ({emergency}) => emergency?.phase.name === 'sending',
	end: state => state.endEmergency(),
	lastWords: state => state.emergencyLastWords(),
};
