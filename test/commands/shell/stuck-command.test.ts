import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {watchForStandstill} from '../../../source/commands/shell/stuck-command.ts';

test('a command that stalls before its end is reported once', () => {
	const processEvents = new EventEmitter();
	const reportedCodes: string[] = [];
	using _watch = watchForStandstill(processEvents, ({code}) => reportedCodes.push(code));
	processEvents.emit('beforeExit');
	processEvents.emit('beforeExit');
	expect(reportedCodes).toEqual(['internal']);
});

test('a finished command is not reported', () => {
	const processEvents = new EventEmitter();
	const reportedCodes: string[] = [];
	{
		using _watch = watchForStandstill(processEvents, ({code}) => reportedCodes.push(code));
	}
	processEvents.emit('beforeExit');
	expect(reportedCodes).toEqual([]);
});
