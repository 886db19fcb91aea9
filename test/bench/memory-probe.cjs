'use strict';
process.on('exit', () => {
	if (process.env.LEDGE_BENCH_MEMORY) {
		require('node:fs').writeFileSync(process.env.LEDGE_BENCH_MEMORY, String(process.resourceUsage().maxRSS));
	}
});
