import type {Action, App} from '../action.ts';

export function openEmergency(app: App): void {
	app.state().beginEmergency();
	app.state().go('emergency');
}

export const emergencyActions: readonly Action[] = [];
