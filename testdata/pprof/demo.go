// Records cpu.pb.gz, heap.pb.gz and mutex.pb.gz in the current folder.
package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

func work(n int) int {
	if n < 2 {
		return n
	}
	return work(n-1) + work(n-2)
}

func add[T int | float64](a, b T) T { return a + b }

func main() {
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	cpu, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(cpu)
	var wait sync.WaitGroup
	var lock sync.Mutex
	for _, name := range []string{"a", "b"} {
		wait.Add(1)
		go pprof.Do(context.Background(), pprof.Labels("worker", name), func(context.Context) {
			defer wait.Done()
			for end := time.Now().Add(60 * time.Millisecond); time.Now().Before(end); {
				lock.Lock()
				kept = append(kept, make([]byte, add(100, work(18))))
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	pprof.StopCPUProfile()
	cpu.Close()
	for _, name := range []string{"heap", "mutex"} {
		out, _ := os.Create(name + ".pb.gz")
		pprof.Lookup(name).WriteTo(out, 0)
		out.Close()
	}
}
