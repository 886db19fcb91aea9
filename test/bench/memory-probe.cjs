'use strict';
// Writes the peak of a process's memory in KiB to the file LEDGE_BENCH_MEMORY when it ends.
process.on('exit', () => {
	const {readFileSync, writeFileSync} = require('node:fs');
	const file = process.env.LEDGE_BENCH_MEMORY;
	if (file) writeFileSync(file, String(peak(readFileSync)));
});

/** What `resourceUsage` has may be the peak of the process that started this one: Linux hands it on. */
function peak(read) {
	if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
	return Number(/^VmHWM:\s+(\d+)/m.exec(read('/proc/self/status', 'utf8'))[1]);
}
