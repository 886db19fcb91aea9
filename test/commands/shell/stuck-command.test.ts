import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {watchForStandstill} from '../../../source/commands/shell/stuck-command.ts';

test('a command that stalls before its end is reported once', () => {
	const process = new EventEmitter();
	const told: string[] = [];
	using _watch = watchForStandstill(process, ({code}) => told.push(code));
	process.emit('beforeExit');
	process.emit('beforeExit');
	expect(told).toEqual(['internal']);
});

test('a finished command is not reported', () => {
	const process = new EventEmitter();
	const told: string[] = [];
	{
		using _watch = watchForStandstill(process, ({code}) => told.push(code));
	}
	process.emit('beforeExit');
	expect(told).toEqual([]);
});
